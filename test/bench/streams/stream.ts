/**
 * From a chunk of the model to its reader, with 50 conversations streaming at once.
 *
 * Three processes beside this one: the fake Messages API, which lets every chunk go at its time; the real host, as
 * `npm start` starts it; and a reader of all 50 event streams. Each conversation gets a chunk of about five words
 * every 50 ms for 8 s, faster than most models write. The latency is from letting a chunk go to the first bytes at
 * the reader that hold it or a later one (the page shows the newest text), on one monotonic clock; it therefore
 * includes the fake's and the reader's own work. How much that is says the floor: the same answers, read by the same
 * reader straight from the fake, in the same run.
 */

import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { type Child, launch } from "../child.ts";
import { atMost, measured, summarize } from "../figure.ts";
import { type Host, startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";

const INTERVAL = 50;
/** Chunks of a stream that come while the others end: each end is work and a commit that the disk is waited for. */
const ENDING = 5;
const announced = z.object({ url: z.string(), apiKey: z.string() });
const times = z.array(z.array(z.number()));

export const streamBench: Bench = {
  name: "stream",
  what: "a model's chunk to its reader, 50 conversations at once",
  run: async (scale, note) => {
    const size =
      scale === "tiny" ? { streams: 3, chunks: 10, rounds: 1 } : { streams: 50, chunks: 160, rounds: 3 };
    await using place = await temporary();
    await using model = launch([
      new URL("./model.ts", import.meta.url).pathname,
      ...[size.streams, size.chunks, INTERVAL].map(String),
    ]);
    const server = announced.parse(JSON.parse(await model.line()));
    await using reader = launch([new URL("./listener.ts", import.meta.url).pathname]);
    await using host = await startHost({
      data: join(place.path, "data"),
      compileCache: join(place.path, "cache"),
      repo: await smallRepository(join(place.path, "repo")),
      model: server,
    });
    const through: number[] = [];
    const straight: number[] = [];
    const tails: number[] = [];
    const ends: number[] = [];
    for (let pair = 0; pair < size.rounds; pair++) {
      note(`round ${pair + 1} of ${size.rounds}`);
      const texts = Array.from({ length: size.streams }, (_, c) => `[stream ${c} of ${pair * 2}]`);
      const late = await measure(model, reader, size.chunks, await listenToHost(host, texts));
      through.push(...late.flat());
      tails.push(summarize(late.flat()).p99);
      ends.push(...late.flatMap((stream) => stream.slice(-ENDING)));
      const direct = texts.map((_, c) => askDirectly(server, `[stream ${c} of ${pair * 2 + 1}]`));
      straight.push(...(await measure(model, reader, size.chunks, { requests: direct, ready: none })).flat());
    }
    return [
      measured(`chunk to reader, ${size.streams} streams`, "ms", through, atMost(50, "p99")),
      measured("its p99, round by round", "ms", tails, atMost(50)),
      measured("the last 250 ms, when all turns end at once", "ms", ends),
      measured("floor: straight from the fake", "ms", straight),
    ];
  },
};

interface Reading {
  readonly requests: readonly object[];
  /** What begins the answers once the readers listen. */
  readonly ready: () => Promise<void>;
}

const listenToHost = async (host: Host, texts: readonly string[]): Promise<Reading> => {
  const ids = await Promise.all(texts.map(() => host.begin()));
  return {
    requests: ids.map((id) => ({
      url: `${host.origin}/api/conversations/${id}/events`,
      method: "GET",
      headers: { authorization: `Bearer ${host.token}` },
      body: "",
    })),
    ready: async () => {
      const answers = await Promise.all(ids.map((id, c) => host.say(id, texts[c] ?? "")));
      if (answers.some((status) => status !== 202)) throw new Error(`said, answered ${answers.join()}`);
    },
  };
};

const askDirectly = ({ url, apiKey }: z.infer<typeof announced>, text: string): object => ({
  url: `${url}/v1/messages`,
  method: "POST",
  headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01", "content-type": "application/json" },
  body: JSON.stringify({
    model: "claude-sonnet-5-5",
    max_tokens: 4096,
    stream: true,
    messages: [{ role: "user", content: text }],
  }),
});

const none = (): Promise<void> => Promise.resolve();

/** Latency of every chunk of every stream in milliseconds. */
const measure = async (
  model: Child,
  reader: Child,
  chunks: number,
  { requests, ready }: Reading,
): Promise<readonly (readonly number[])[]> => {
  reader.write(`${JSON.stringify({ requests, last: chunks - 1 })}\n`);
  await reader.lineWith(/^listening$/);
  await ready();
  model.write("go\n");
  const sent = times.parse(JSON.parse(await model.line()));
  const there = times.parse(JSON.parse(await reader.line()));
  return sent.map((stream, c) => stream.map((at, k) => (there[c]?.[k] ?? Infinity) - at));
};
