/** 40.C5: what channels know beside their checkouts is read through the operator's proxy, and what NO_PROXY names is not. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createListener } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { readRules } from "../../../sandbox/egress/rules.ts";
import { createProxyOf } from "../../../src/app/process/outgoing-proxy.ts";
import { scratch } from "../../scratch.ts";
import { siteWith } from "../../sandbox/egress/site.ts";
import { forgeWith, found, TOKEN, worldOn } from "./world.ts";

const run = promisify(execFile);

/** A proxy whose tunnels end on this machine. `ports`: by destination, where it is not the port asked for. */
const proxyWith = async (ports: Readonly<Record<string, number>> = {}) => {
  const asked = new Set<string>();
  const server = createServer().on("connect", ({ url = "" }, socket) => {
    asked.add(url);
    const target = connect(ports[url] ?? Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Yes\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    for (const side of [socket, target])
      side.on("error", () => target.destroy()).on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

it.each([
  ["through the proxy", "other.test", true],
  ["directly where NO_PROXY names it", "docs.test", false],
])("40.C5 a documentation site is read %s", async (_, excepted, isProxied) => {
  const site = await siteWith({ "/": '<a href="/b">b</a>', "/b": "<p>A walrus.</p>" });
  const host = `docs.test:${site.port}`;
  const proxy = await proxyWith();
  const read = readRules([host]);
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  const world = await worldOn(null, [`http://${host}/`], {
    lookup: () => Promise.resolve(["127.0.0.1"]),
    reach: {
      rules: read.rules,
      proxyOf: createProxyOf({ HTTP_PROXY: proxy.address, NO_PROXY: [excepted] }),
    },
  });
  await world.clock.quiet();
  expect(found(world, "walrus")).toEqual(["/b"]);
  expect([...proxy.asked]).toEqual(isProxied ? [host] : []);
});

it("40.C5 the environment and .env say what a site and a forge's issues are read through", async () => {
  const site = await siteWith({ "/": "<p>A walrus.</p>" });
  const fake = await forgeWith();
  fake.world.addIssue("acme/shop", { title: "A walrus is seen" });
  fake.world.addRepo("acme/docs");
  fake.world.tokens.set(OTHER, { repos: ["acme/docs"], permissions: ["metadata=read", "issues=read"] });
  fake.world.addIssue("acme/docs", { title: "Another walrus" });
  const port = new URL(fake.url).port;
  const proxy = await proxyWith({ "10.1.2.3:80": site.port });
  const direct = await besideLoopback(Number(port));

  const folder = scratch("proxied");
  const forges = [
    { kind: "github-token", repos: ["acme/shop"], api: `http://forge.test:${port}`, token: TOKEN },
    { kind: "github-token", repos: ["acme/docs"], api: direct.address, token: OTHER },
  ];
  const file = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o600 });
  file("forges.json", JSON.stringify({ forges }));
  file(".env", "NO_PROXY=127.0.0.2\nPARLEY_EGRESS=10.1.2.3\nPARLEY_DATA=.\nPARLEY_FORGES=forges.json\n");
  const repos = ["shop", "docs"].map((name) => `https://github.com/acme/${name}.git`);
  const { stdout } = await run(
    process.execPath,
    [join(import.meta.dirname, "through-proxy.ts"), "http://10.1.2.3/", ...repos],
    { cwd: folder, env: { PATH: process.env["PATH"], HTTP_PROXY: proxy.address } },
  );
  expect(JSON.parse(stdout)).toEqual([
    "http://10.1.2.3/",
    `${fake.url}/acme/docs/issues/1`,
    `${fake.url}/acme/shop/issues/1`,
  ]);
  expect([...proxy.asked].toSorted()).toEqual(["10.1.2.3:80", `forge.test:${port}`]);
  expect(direct.count()).toBeGreaterThan(0);
});

const OTHER = "github_pat_9876543210";

/** The port at an address that only NO_PROXY excepts; 127.0.0.1 is never asked through a proxy. */
const besideLoopback = async (port: number) => {
  let count = 0;
  const server = createListener((socket) => {
    count += 1;
    const target = connect(port, "127.0.0.1");
    socket.pipe(target).pipe(socket);
    for (const side of [socket, target])
      side.on("error", () => target.destroy()).on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.2");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.2:${(server.address() as AddressInfo).port}`, count: () => count };
};
