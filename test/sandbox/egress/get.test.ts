/** Pages over the real network: hops, what is packed, and whose certificates count. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import { createGet } from "../../../sandbox/egress/get.ts";
import { scratch } from "../../scratch.ts";
import { siteWith } from "./site.ts";

const MOST = 2 ** 20;

const rig = async () => {
  const { root } = await siteWith(({ url = "" }, response) => {
    const hops = Number(/^\/hop(\d)/.exec(url)?.[1] ?? 0);
    if (hops > 0) return void response.writeHead(302, { location: `/hop${hops - 1}` }).end("on");
    if (url === "/circle") return void response.writeHead(302, { location: url }).end();
    if (url === "/elsewhere") return void response.writeHead(302, { location: "ftp://10.0.0.7/" }).end();
    if (url === "/packed") return void response.writeHead(200, PACKED).end(gzipSync("walrus"));
    if (url === "/bomb") return void response.writeHead(200, PACKED).end(gzipSync(Buffer.alloc(4 * MOST)));
    if (url === "/odd") return void response.writeHead(200, { "content-encoding": "br" }).end("?");
    response.writeHead(200, { etag: '"1"' }).end("giraffe");
  });
  return { ask: askerAt(root), root };
};

const askerAt = (root: string) => {
  const loopback = parseNetwork("127.0.0.0/8");
  const unsafeOpen = loopback === null ? [] : [loopback];
  const rules = { names: null, networks: [] };
  const get = createGet(
    createConnectReach({ rules, lookup: () => Promise.resolve([]), unsafeOpen }),
    "parley-test",
  );
  onTestFinished(get.close);
  return (path: string) =>
    get({ url: new URL(path, root), most: MOST, tag: null, signal: AbortSignal.timeout(10_000) });
};

const PACKED = { "content-encoding": "gzip" };

it("follows five hops and no sixth, knows where it came to, and leaves a circle", async () => {
  const { ask, root } = await rig();
  expect(await ask("hop5")).toMatchObject({ kind: "page", url: new URL("hop0", root), tag: 'e"1"' });
  expect(await ask("hop6")).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/redirects too often$/),
  });
  expect(await ask("circle")).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/redirects too often$/),
  });
  expect((await ask("elsewhere")).kind).toBe("refused");
});

it("unpacks what is packed, to its bound and no further", async () => {
  const { ask } = await rig();
  expect(await ask("packed")).toMatchObject({ kind: "page", bytes: Buffer.from("walrus") });
  expect(await ask("bomb")).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/larger than 1 MiB$/),
  });
  expect((await ask("odd")).kind).toBe("failed");
});

/** A site on this machine whose certificate is for that name alone; this process trusts it. */
const securedAs = async (name: string): Promise<string> => {
  const folder = scratch("secured");
  const made =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key -out cert -subj /CN=site";
  await promisify(execFile)("openssl", [...made.split(" "), "-addext", `subjectAltName=${name}`], {
    cwd: folder,
  });
  const [key, cert] = ["key", "cert"].map((file) => readFileSync(join(folder, file), "utf8"));
  const before = getCACertificates();
  setDefaultCACertificates([...before, cert ?? ""]);
  const server = createServer({ key, cert }, (_, response) => void response.end("giraffe")).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

it("reads a site that is named by its address over TLS, and none whose certificate is for another", async () => {
  const own = await securedAs("IP:127.0.0.1");
  expect(await askerAt(own)("")).toMatchObject({ kind: "page", bytes: Buffer.from("giraffe") });
  const other = await securedAs("DNS:localhost");
  expect(await askerAt(other)("")).toMatchObject({ kind: "failed", why: expect.stringMatching(/altnames/) });
});
