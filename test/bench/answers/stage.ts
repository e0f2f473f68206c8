/**
 * A platform, the model and the people who ask, in a process of their own. Arguments: the platform and its channels. Says
 * where both listen. Each further line of input is an order, `{"count","characters","chunk","channels","patience"}`: so many people ask at
 * once, spread over so many channels, and each answer streams at the pace of a fast model, whatever the bot makes of it;
 * what came of it is told when every thread holds its whole answer and the bot has been quiet for a second, when it has
 * been quiet for long, or when patience ends, in milliseconds after the model should have said everything.
 */

import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { monotonic } from "../clock.ts";
import { openDiscord, openSlack } from "./platforms.ts";
import { behind, chunksOf, createStream, faultsOf, firstOf, intervalOf, look, type Stream } from "./seen.ts";

const order = z.object({
  count: z.int(),
  characters: z.int(),
  chunk: z.int(),
  channels: z.int(),
  patience: z.number(),
});
/** Milliseconds without a request after which nothing more is to come: after whole answers, and after others. */
const QUIET = 1_000;
const SILENT = 6_000;

const streams: Stream[] = [];
/** The number of the stream that a thread shows. */
const ofThread = new Map<string, number>();
const texts = new Map<number, { readonly chunks: readonly string[]; readonly interval: number }>();
const [name, channels] = process.argv.slice(2);
const open = name === "slack" ? openSlack : openDiscord;
const platform = await open(Number(channels), (thread, message, text) => {
  const number = ofThread.get(thread);
  const stream = number === undefined ? undefined : streams[number];
  if (number !== undefined && stream !== undefined) look(stream, number, message, text);
});
const model = await createFakeAnthropic();
const begun = new Set<number>();
model.scriptAlways(({ messages }) => {
  const number = Number(JSON.stringify(messages).match(/\[stream (\d+)\]/)?.[1]);
  const { chunks, interval } = texts.get(number) ?? { chunks: [], interval: 0 };
  if (!begun.has(number)) void pace(number, chunks.length, interval);
  begun.add(number);
  const text = chunks.flatMap((chunk, no) => [{ gate: `${number}/${no}` }, chunk]);
  return { content: [{ kind: "text", text }] };
});

const { url, apiKey } = model;
console.log(JSON.stringify({ platform: platform.at, channels: platform.channels, model: { url, apiKey } }));
for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify(await run(order.parse(JSON.parse(line)))));
await Promise.all([platform.close(), model.close()]);

async function run({ count, characters, chunk, channels, patience }: z.infer<typeof order>) {
  const calls = platform.requests().length;
  const asked = Array.from({ length: count }, (_, who) => ask(who, who % channels, characters, chunk));
  const isOver = await settled(asked, patience + characters * intervalOf(1));
  const made = platform.requests().slice(calls);
  const ended = await Promise.all(made.map(({ ended }) => Promise.race([ended, sleep(QUIET)])));
  return {
    calls: made.length / count,
    writes: made.filter(platform.writes).length / count,
    refusals: ended.filter((end) => end?.status === 429).length / count,
    first: asked.map(firstOf),
    behind: asked.flatMap(behind),
    /** Answers that do not stand whole in their thread. */
    torn: asked.filter((stream) => faultsOf(stream) > 0).length,
    isOver,
  };
}

function ask(who: number, channel: number, characters: number, chunk: number): Stream {
  const number = streams.length;
  const chunks = chunksOf(number, characters, chunk);
  texts.set(number, { chunks, interval: intervalOf(chunk) });
  const stream = createStream(chunks.length);
  streams.push(stream);
  ofThread.set(platform.ask(who, channel, `tell me [stream ${number}]`), number);
  return stream;
}

/** A chunk is due when it is due, whatever became of the one before. */
async function pace(number: number, chunks: number, interval: number): Promise<void> {
  const from = monotonic();
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    await sleep(Math.max(0, from + chunk * interval - monotonic()));
    model.gate(`${number}/${chunk}`).open();
    streams[number]?.said.push(monotonic());
  }
}

/** Whether everything came to its end before patience did. */
async function settled(asked: readonly Stream[], patience: number): Promise<boolean> {
  let last = monotonic();
  let requests = -1;
  const until = last + patience;
  for (;;) {
    await sleep(100);
    const now = platform.requests().length;
    if (now !== requests) [requests, last] = [now, monotonic()];
    const isSaid = asked.every((stream) => stream.said.length === stream.chunks);
    const isWhole = isSaid && asked.every((stream) => faultsOf(stream) === 0);
    if (isSaid && monotonic() - last > (isWhole ? QUIET : SILENT)) return true;
    if (monotonic() > until) return false;
  }
}
