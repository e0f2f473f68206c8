/** A request is let go of once it is sent, however long its answer takes. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { sendOnce } from "../../src/model/send-once.ts";

type Hear = (request: IncomingMessage, response: ServerResponse) => void;

/** Keeps nothing of a request. `hear` answers it. */
const serve = async (hear: Hear): Promise<string> => {
  const server = createServer(hear);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
};

/** A head and no more, once all of a request is there. */
const answerHead: Hear = (request, response) =>
  void request.resume().once("end", () => response.flushHeaders());

it("arrives whole and with its length, as the usual fetch sends it", async () => {
  const heard: unknown[] = [];
  const url = await serve((request, response) => {
    const { "content-length": length, "transfer-encoding": chunks, "content-type": type } = request.headers;
    const note = async (): Promise<void> => {
      heard.push({ method: request.method, length, chunks, type, body: await text(request) });
      response.flushHeaders();
    };
    void note();
  });
  const said = { method: "POST", headers: { "content-type": "application/json" }, body: '{"said":"ä€𝄞"}' };
  await fetch(url, said);
  await sendOnce(url, said);
  expect(heard[1]).toEqual(heard[0]);
  expect(heard[0]).toMatchObject({ length: "20", chunks: undefined });
});

it("is not held while its answer is awaited, which the usual fetch does", async () => {
  const url = await serve(answerHead);
  const few = (REQUESTS * SIZE) / 4;
  const once = await sentBy(sendOnce, url);
  await expect.poll(once.held).toBeLessThan(few);
  const usual = await sentBy(fetch, url);
  for (let round = 0; round < ROUNDS; round += 1) {
    await new Promise(setImmediate);
    // As bytes, and as text.
    expect(usual.held()).toBeGreaterThan(REQUESTS * SIZE + few);
  }
  expect([...once.answers, ...usual.answers].every(({ ok }) => ok)).toBe(true);
});

it("is not sent to where a redirect leads", async () => {
  let isLed = false;
  const elsewhere = await serve((request, response) => {
    isLed = true;
    answerHead(request, response);
  });
  const url = await serve((request, response) => {
    request.resume().once("end", () => response.writeHead(302, { location: elsewhere }).end());
  });
  // SDKs know a failed connection by this message; people read the code (failure.ts).
  await expect(sendOnce(url, { method: "POST", body: "said" })).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "REDIRECTED" },
  });
  expect(isLed).toBe(false);
});

/** Far more together than files before this one may leave to the collector in the same process. */
const REQUESTS = 8;
const SIZE = 8_000_000;
/** Turns of the event loop. */
const ROUNDS = 5;

/** Sends all requests and waits for the heads of their answers. `held`: bytes that are kept since, which may become fewer. */
const sentBy = async (send: typeof fetch, url: string) => {
  const before = await settled();
  const answers: Response[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    // Each of its own, and flat.
    const body = Buffer.alloc(SIZE, String(n)).toString("latin1");
    answers.push(await send(url, { method: "POST", body }));
  }
  return { answers, held: (): number => kept() - before };
};

/** Counts the kept bytes once collecting frees no more for some turns: callbacks of one collection release objects for a later one. */
const settled = async (): Promise<number> => {
  let least = kept();
  for (let round = 0; round < ROUNDS; round += 1) {
    await new Promise(setImmediate);
    const now = kept();
    if (now < least - SIZE / 100) round = 0;
    least = Math.min(least, now);
  }
  return least;
};

const kept = (): number => {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof gc !== "function") throw new Error("there is no collector");
  gc();
  gc();
  // Node counts the bytes of buffers as external.
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
