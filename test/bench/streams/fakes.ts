/**
 * Slack and the model in a process of their own, and the people who talk there: each begins a thread with a mention of
 * the app, all within `ramp` ms; each thread's one answer comes in chunks of six words, `interval` ms apart, open loop:
 * a chunk is due when it is due. Arguments: conversations, chunks, interval, ramp, and `streams` or `edits`: whether
 * the workspace takes native streams. Says where both listen. On the line `go` people talk; what came of it is told
 * when every thread holds its whole answer and nothing else, or a minute after it should.
 *
 * A chunk has arrived with the first call of Slack's Web API that holds its number or a later one of the same answer:
 * progress shows the end of the text, the answer the whole. What is lost is told from the threads as they stand in the
 * end.
 */

import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { monotonic } from "../clock.ts";

const [conversations = 0, chunks = 0, interval = 0, ramp = 0] = process.argv.slice(2).map(Number);
const [mode] = process.argv.slice(6);
/** How long after the last chunk a thread may still be on its way. */
const LATE = 60_000;
/** Chunks of a line, about a hundred characters: native streams are given whole lines. */
const LINE = 3;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

const slack = await createFakeSlack({ rates: "off" });
const model = await createFakeAnthropic();
if (mode === "edits") {
  const refusal = { kind: "error", error: "no_permission" } as const;
  slack.fault(refusal, { times: conversations, match: { method: "chat.startStream" } });
}

/** When each chunk of each stream was let go, as epoch milliseconds: the clock of the fakes' journals. */
const sent = numbers(conversations).map((): number[] => []);
const lateness: number[] = [];
let streaming = 0;
let mostAtOnce = 0;

const wordsOf = (stream: number, chunk: number): string =>
  `#${stream}.${chunk} and some words of an answer${chunk % LINE === LINE - 1 ? ".\n" : " "}`;
const answerOf = (stream: number): string =>
  numbers(chunks)
    .map((k) => wordsOf(stream, k))
    .join("");
const gateOf = (stream: number, chunk: number): string => `${stream}/${chunk}`;

const pace = (stream: number, times: number[]): void => {
  const begun = monotonic() + Math.random() * interval;
  streaming += 1;
  mostAtOnce = Math.max(mostAtOnce, streaming);
  const next = (): void => {
    lateness.push(monotonic() - (begun + times.length * interval));
    model.gate(gateOf(stream, times.length)).open();
    times.push(performance.timeOrigin + performance.now());
    if (times.length === chunks) streaming -= 1;
    else setTimeout(next, Math.max(0, begun + times.length * interval - monotonic()));
  };
  setTimeout(next, begun - monotonic());
};

model.scriptAlways(({ messages }) => {
  const stream = Number(/\[stream (\d+)\]/.exec(JSON.stringify(messages))?.[1]);
  pace(stream, sent[stream] ?? []);
  const text = numbers(chunks).flatMap((k) => [{ gate: gateOf(stream, k) }, wordsOf(stream, k)]);
  return { content: [{ kind: "text", text }] };
});

const talk = async (): Promise<readonly string[]> => {
  const alice = slack.as("alice");
  const begun = monotonic();
  const roots: string[] = [];
  for (const stream of numbers(conversations)) {
    await wait(Math.max(0, begun + (stream * ramp) / conversations - monotonic()));
    roots.push(alice.say(`@parley tell me [stream ${stream}]`, { channel: "general" }).ts);
  }
  return roots;
};

const settled = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Streams whose thread does not hold exactly what the model said. */
const wrong = (roots: readonly string[]): readonly number[] => {
  const held = Map.groupBy(slack.world.messages("CGENERAL"), ({ ts, threadTs }) => threadTs ?? ts);
  return numbers(conversations).filter((stream) => {
    const blocks = (held.get(roots[stream] ?? "") ?? []).flatMap((message) => message.blocks ?? []);
    const said = blocks.flatMap((block) => (block["type"] === "markdown" ? [String(block["text"])] : []));
    return settled(said.join(" ")) !== settled(answerOf(stream));
  });
};

/** From each chunk to the call that brought it, in milliseconds. */
const latencies = (): readonly number[] => {
  const arrived = sent.map((): number[] => []);
  for (const { args, exchange } of slack.calls) {
    const written = JSON.stringify([args["blocks"], args["chunks"]]);
    for (const [, stream, chunk] of written.matchAll(/#(\d+)\.(\d+) /g)) {
      const times = arrived[Number(stream)] ?? [];
      while (times.length <= Number(chunk)) times.push(exchange.at);
    }
  }
  return sent.flatMap((times, stream) => times.map((at, k) => (arrived[stream]?.[k] ?? Infinity) - at));
};

const run = async () => {
  const roots = await talk();
  const deadline = monotonic() + chunks * interval + LATE;
  const isOver = (): boolean => monotonic() > deadline || (streaming === 0 && wrong(roots).length === 0);
  do await wait(1_000);
  while (!isOver());
  return {
    latencies: latencies().map((ms) => Math.min(ms, LATE)),
    lateness,
    wrong: wrong(roots).length,
    mostAtOnce,
    calls: slack.calls.filter(({ method }) => method.startsWith("chat.")).length,
    violations: [...slack.violations, ...model.violations.map(({ message }) => message)],
  };
};

const { apiUrl, botToken, appToken } = slack;
const { url, apiKey } = model;
console.log(JSON.stringify({ slack: { apiUrl, botToken, appToken }, model: { url, apiKey } }));
for await (const line of createInterface(process.stdin)) {
  if (line === "go") console.log(JSON.stringify(await run()));
}
await slack.close();
await model.close();
