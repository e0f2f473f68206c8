/** Pages over the real network: hops, what is packed, and how many connections there are. */

import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { parseNetwork } from "../../sandbox/egress/address.ts";
import { createReach } from "../../sandbox/egress/reach.ts";
import { createGet } from "../../src/knowledge/site/get.ts";
import { siteWith } from "./world.ts";

const MOST = 2 ** 20;

const rig = async () => {
  const ports = new Set<number | undefined>();
  const { root } = await siteWith(({ url = "", socket }, response) => {
    ports.add(socket.remotePort);
    const hops = Number(/^\/hop(\d)/.exec(url)?.[1] ?? 0);
    if (hops > 0) return void response.writeHead(302, { location: `/hop${hops - 1}` }).end("on");
    if (url === "/circle") return void response.writeHead(302, { location: url }).end();
    if (url === "/elsewhere") return void response.writeHead(302, { location: "ftp://10.0.0.7/" }).end();
    if (url === "/packed") return void response.writeHead(200, PACKED).end(gzipSync("walrus"));
    if (url === "/bomb") return void response.writeHead(200, PACKED).end(gzipSync(Buffer.alloc(4 * MOST)));
    if (url === "/odd") return void response.writeHead(200, { "content-encoding": "br" }).end("?");
    response.writeHead(200, { etag: '"1"' }).end("giraffe");
  });
  const loopback = parseNetwork("127.0.0.0/8");
  const unsafeOpen = loopback === null ? [] : [loopback];
  const rules = { names: null, networks: [] };
  const get = createGet(createReach({ rules, lookup: () => Promise.resolve([]), unsafeOpen }), "parley-test");
  onTestFinished(get.close);
  const ask = (path: string) =>
    get({ url: new URL(path, root), most: MOST, tag: null, signal: AbortSignal.timeout(10_000) });
  return { ask, ports, root };
};

const PACKED = { "content-encoding": "gzip" };

it("follows five hops and no sixth, knows where it came to, and goes round in no circle", async () => {
  const { ask, root } = await rig();
  expect(await ask("hop5")).toMatchObject({ kind: "page", url: new URL("hop0", root), tag: 'e"1"' });
  expect(await ask("hop6")).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/redirects too often$/),
  });
  expect(await ask("circle")).toMatchObject({ kind: "failed", why: expect.stringMatching(/in a circle$/) });
  expect((await ask("elsewhere")).kind).toBe("failed");
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

it("reads any number of pages over four connections", async () => {
  const { ask, ports } = await rig();
  const pages = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`page${n}`)));
  expect(new Set(pages.map(({ kind }) => kind))).toEqual(new Set(["page"]));
  expect(ports.size).toBeLessThanOrEqual(4);
});
