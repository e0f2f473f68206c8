/** Brotli is neither asked for nor decoded; gzip is both. */

import { once } from "node:events";
import { createServer } from "node:http";
import { brotliCompressSync, createBrotliDecompress, gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { withoutBrotli } from "../../../src/app/process/no-brotli.ts";

const before = globalThis.fetch;

/** Sends `hello` packed as its path says. */
const serve = async (): Promise<{ readonly root: string; readonly asked: (string | undefined)[] }> => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push(headers["accept-encoding"]?.toString());
    const coding = url === "/br" ? "br" : "gzip";
    response.setHeader("content-encoding", coding);
    response.end((coding === "br" ? brotliCompressSync : gzipSync)("hello"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return { root: `http://127.0.0.1:${address.port}`, asked };
};

const text = async (...[input, init]: Parameters<typeof fetch>): Promise<string> =>
  (await fetch(input, init)).text();

it("no server is asked for Brotli, and one that sends it is not read; gzip is", async () => {
  withoutBrotli();
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  const wrapped = globalThis.fetch;
  withoutBrotli();
  expect(globalThis.fetch).toBe(wrapped);
  const { root, asked } = await serve();
  expect(await text(`${root}/gzip`, { headers: { "x-own": "1" } })).toBe("hello");
  expect(await text(new Request(`${root}/gzip`, { method: "POST", body: "x" }))).toBe("hello");
  expect(await text(`${root}/gzip`, { headers: { "accept-encoding": "identity" } })).toBe("hello");
  await expect(text(`${root}/br`)).rejects.toThrow();
  expect(asked).toEqual(["gzip, deflate", "gzip, deflate", "identity", "gzip, deflate"]);
});

it("nothing of it reaches the decoder, whoever else would unpack it", async () => {
  withoutBrotli();
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  const decoder = createBrotliDecompress();
  decoder.end(brotliCompressSync("hello"));
  const [error] = await once(decoder, "error");
  expect(String(error)).toContain("does not support");
});
