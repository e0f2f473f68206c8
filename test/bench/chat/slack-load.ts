/**
 * A busy workspace, in a process of its own: the wire-level Slack with its rate limits, the model's server, people who
 * talk in live threads, and now and then a mention that opens a new one, whose answer streams for some seconds.
 * Arguments: events a second, seconds, seconds between two mentions, and the repository that the channels get. Prints where
 * both listen, then waits for a line, brings the load, and prints what it measured as JSON, in milliseconds: from each
 * event to its acknowledgement, and from each mention to the first message in its thread.
 */

import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { monotonic } from "../clock.ts";

const CHANNELS: readonly string[] = ["one", "two", "three", "four", "five"];
/** How long the answers of the mentions stream, in turn: seconds. */
const STREAMS: readonly number[] = [1, 4, 9];
const CHUNK = 100;
/** How often it is looked whether a thread got its first message. */
const LOOK = 2;
const SIGNS: readonly string[] = ["chat.startStream", "chat.postMessage"];
/** For an event that was never acknowledged. */
const LOST = 60_000;

const threads: { readonly channel: string; readonly thread: string }[] = [];
const [rate = 200, seconds = 60, between = 4] = process.argv.slice(2, 5).map(Number);
const repository = process.argv[5] ?? "";
const model = await createFakeAnthropic();
const fake = await createFakeSlack({
  channels: CHANNELS.map((name) => ({ name })),
  users: [
    { name: "alice", role: "owner" },
    { name: "bob", role: "member" },
    { name: "carol", role: "member" },
  ],
});
const mentioned: { readonly channel: string; readonly ts: string }[] = [];
model.scriptAlways(({ messages }) => {
  const [, no = "", length = "0"] = /\[(\d+) for (\d+) s\]/.exec(JSON.stringify(messages)) ?? [];
  const chunks = Array.from({ length: (Number(length) * 1_000) / CHUNK }, (_, at) => at);
  if (chunks.length > 0) void pace(no, chunks.length);
  const text = chunks.flatMap((at) => [{ gate: `${no}/${at}` }, `Line ${at} of it.\n`]);
  return { content: [{ kind: "text", text: chunks.length === 0 ? "Hello." : text }] };
});
const { apiUrl, botToken, appToken } = fake;
const { url, apiKey } = model;
process.stdout.write(
  `${JSON.stringify({ slack: { apiUrl, botToken, appToken }, model: { url, apiKey } })}\n`,
);
await once(createInterface(process.stdin), "line");

await prepare();
const start = fake.deliveries.length;
const acks: number[] = [];
const silences: number[] = [];
const silent = new Map<string, number>();
let watched = start;
let heard = fake.calls.length;
const looking = setInterval(look, LOOK);
const from = monotonic();
for (let mentions = 0, past = 0; past < seconds * 1_000; past = monotonic() - from) {
  if (past >= mentions * between * 1_000) mention(mentions++);
  while (fake.deliveries.length - start < (past * rate) / 1_000) talk();
  watch();
  await sleep(1);
}
await fake.settled();
while (silent.size > 0 || !mentioned.every(isOver)) await sleep(CHUNK);
clearInterval(looking);
process.stdout.write(`${JSON.stringify({ acks, silences })}\n`);
await Promise.all([fake.close(), model.close()]);

/** Live threads in which two people talk to each other: each of their messages is stored and looked at. */
async function prepare(): Promise<void> {
  for (const channel of CHANNELS) {
    fake.as("alice").say(`@parley repo ${repository}`, { channel });
    await fake.settled();
  }
  await fake.waitFor(CHANNELS.length, "chat.postEphemeral");
  for (const channel of CHANNELS) {
    const root = fake.as("bob").say("@parley hello", { channel });
    threads.push({ channel, thread: root.ts });
    while (!isOver(root)) await sleep(CHUNK);
    for (const name of ["carol", "bob"]) fake.as(name).say("I think so", { channel, thread: root.ts });
  }
  await fake.settled();
}

function talk(): void {
  const thread = threads[fake.deliveries.length % threads.length];
  fake.as("carol").say("and then it broke again", thread);
}

function mention(no: number): void {
  const channel = CHANNELS[no % CHANNELS.length] ?? "one";
  const length = STREAMS[no % STREAMS.length] ?? 1;
  const root = fake.as("alice").say(`@parley tell me [${no} for ${length} s]`, { channel });
  silent.set(root.ts, monotonic());
  mentioned.push(root);
}

/** A chunk is due when it is due, whatever became of the one before. */
async function pace(no: string, chunks: number): Promise<void> {
  const begun = monotonic();
  for (let at = 0; at < chunks; at += 1) {
    await sleep(Math.max(0, begun + (at + 1) * CHUNK - monotonic()));
    model.gate(`${no}/${at}`).open();
  }
}

function watch(): void {
  for (const { ended } of fake.deliveries.slice(watched)) {
    const sent = monotonic();
    void ended.then(({ kind }) => acks.push(kind === "acknowledged" ? monotonic() - sent : LOST));
  }
  watched = fake.deliveries.length;
}

function look(): void {
  for (const { method, args } of fake.calls.slice(heard)) {
    const root = String(args["thread_ts"]);
    const since = silent.get(root);
    if (since === undefined || !SIGNS.includes(method)) continue;
    silences.push(monotonic() - since);
    silent.delete(root);
  }
  heard = fake.calls.length;
}

/** The line below the answer stands, and nothing streams any more. */
function isOver({ channel, ts }: { readonly channel: string; readonly ts: string }): boolean {
  const thread = fake.world.thread(channel, ts);
  const last = JSON.stringify(thread.at(-1)?.blocks ?? []);
  return last.includes("estricted · ") && thread.every(({ stream }) => stream !== "in_progress");
}
