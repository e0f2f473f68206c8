/** A request is let go of once it is sent, however long its answer takes. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { sendOnce } from "../../src/model/send-once.ts";

/** Answers a head and no more, once it has all of a request. */
const serve = async (heard: (request: IncomingMessage, body: Buffer) => void): Promise<string> => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    heard(request, await buffer(request));
    response.flushHeaders();
  };
  const server = createServer((request, response) => void answer(request, response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
};

it("arrives whole and with its length, as the usual fetch sends it", async () => {
  const heard: unknown[] = [];
  const url = await serve(({ method, headers }, body) => {
    const { "content-length": length, "transfer-encoding": chunks, "content-type": type } = headers;
    heard.push({ method, length, chunks, type, body: body.toString() });
  });
  const said = { method: "POST", headers: { "content-type": "application/json" }, body: '{"said":"ä€𝄞"}' };
  await fetch(url, said);
  await sendOnce(url, said);
  expect(heard[1]).toEqual(heard[0]);
  expect(heard[0]).toMatchObject({ length: "20", chunks: undefined });
});

it("is not held while its answer is awaited, which the usual fetch does", async () => {
  const url = await serve(() => undefined);
  expect(await heldBy(fetch, url)).toBeGreaterThan((REQUESTS * SIZE) / 2);
  expect(await heldBy(sendOnce, url)).toBeLessThan((REQUESTS * SIZE) / 4);
});

/** Far more together than files before this one may leave to the collector in the same process. */
const REQUESTS = 8;
const SIZE = 8_000_000;

/** Bytes that are kept once the heads of their answers are there. */
const heldBy = async (send: typeof fetch, url: string): Promise<number> => {
  const before = await settled();
  const answers: Response[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    // Each of its own, and flat.
    const body = Buffer.alloc(SIZE, String(n)).toString("latin1");
    answers.push(await send(url, { method: "POST", body }));
  }
  const held = (await settled()) - before;
  expect(answers.every(({ ok }) => ok)).toBe(true);
  return held;
};

/** What is kept once collecting frees no more: callbacks of one collection let go of what only the next one frees. */
const settled = async (): Promise<number> => {
  for (let last = kept(); ; ) {
    await new Promise(setImmediate);
    const now = kept();
    if (last - now < SIZE / 100) return now;
    last = now;
  }
};

const kept = (): number => {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof gc !== "function") throw new Error("there is no collector");
  gc();
  gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};
