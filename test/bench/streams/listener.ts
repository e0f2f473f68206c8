/**
 * Many readers of streams in a process of their own, as many browsers would be. Each line of standard input is a list
 * of requests; says `listening` when every one has begun to answer, and once all have said chunk `last`, when each
 * chunk was first there. A chunk is there with the first bytes that hold its number or a later one.
 */

import { request } from "node:http";
import { createInterface } from "node:readline";
import { z } from "zod";
import { monotonic } from "../clock.ts";

const order = z.object({
  last: z.int(),
  requests: z.array(
    z.object({
      url: z.string(),
      method: z.enum(["GET", "POST"]),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});
type Order = z.infer<typeof order>;

interface Reading {
  readonly begun: Promise<void>;
  /** When each chunk was there. */
  readonly chunks: Promise<readonly number[]>;
}

const read = ({ url, method, headers, body }: Order["requests"][number], last: number): Reading => {
  const begun = Promise.withResolvers<void>();
  const chunks = Promise.withResolvers<readonly number[]>();
  const seen: number[] = [];
  let rest = "";
  const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
    if (incoming.statusCode !== 200) chunks.reject(new Error(`answered ${incoming.statusCode}`));
    incoming.setEncoding("latin1");
    incoming.on("data", (bytes: string) => {
      const at = monotonic();
      begun.resolve();
      const text = rest + bytes;
      const number = newest(text);
      rest = text.slice(-OVERLAP);
      while (seen.length <= number) seen.push(at);
      if (number < last) return;
      chunks.resolve(seen);
      outgoing.destroy();
    });
  });
  outgoing.on("error", (error) => chunks.reject(error));
  outgoing.end(body);
  return { begun: begun.promise, chunks: chunks.promise };
};

/** Longer than a number with its mark, so that one that is cut by a packet is found. */
const OVERLAP = 8;

/** The last number that stands behind a mark and before a space; -1 for none. */
const newest = (text: string): number => {
  for (let from = text.length; from > 0; ) {
    const mark = text.lastIndexOf("#", from - 1);
    if (mark < 0) return -1;
    const number = /^\d+(?= )/.exec(text.slice(mark + 1, mark + OVERLAP));
    if (number !== null) return Number(number[0]);
    from = mark;
  }
  return -1;
};

for await (const line of createInterface(process.stdin)) {
  const { requests, last } = order.parse(JSON.parse(line));
  const readings = requests.map((one) => read(one, last));
  await Promise.all(readings.map(({ begun }) => begun));
  console.log("listening");
  console.log(JSON.stringify(await Promise.all(readings.map(({ chunks }) => chunks))));
}
