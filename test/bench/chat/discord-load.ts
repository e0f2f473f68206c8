/**
 * A busy community, in a process of its own: the wire-level Discord with its rate limits, people who talk in live
 * threads, press and run commands, and now and then a mention that opens a new thread. Arguments: events a second, of
 * which interactions a second, seconds, seconds between two mentions, and the repository that the channels get. Prints
 * where it listens, then waits for a line, brings the load, and prints what it measured as JSON: how long each
 * interaction's acknowledgement took, and how long each new thread stayed silent.
 */

import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createFakeDiscord } from "../../fakes/discord/fake.ts";
import type { Interaction } from "../../fakes/discord/interactions.ts";
import { monotonic } from "../clock.ts";

const CHANNELS: readonly string[] = ["one", "two", "three", "four", "five"];
/** How often it is looked whether a thread got its first message. */
const LOOK = 2;
const SIGNS: readonly string[] = ["POST /channels/{channel}/messages", "POST /channels/{channel}/typing"];
/** For an interaction that was never acknowledged. */
const LOST = 60_000;

const [rate = 200, pressed = 10, seconds = 60, between = 3] = process.argv.slice(2, 6).map(Number);
const repository = process.argv[6] ?? "";
const fake = await createFakeDiscord({
  guilds: [
    {
      name: "Community",
      channels: CHANNELS.map((name) => ({ name })),
      members: [{ name: "alice", roles: ["maintainer"] }, { name: "bob" }, { name: "carol" }],
    },
  ],
});
const { apiUrl, token } = fake;
process.stdout.write(`${JSON.stringify({ apiUrl, token })}\n`);
await once(createInterface(process.stdin), "line");

const threads = await prepare();
const acks: number[] = [];
const silences: number[] = [];
const silent = new Map<string, number>();
let heard = fake.calls.length;
let [said, interacted, mentioned] = [0, 0, 0];
const looking = setInterval(look, LOOK);
const from = monotonic();
for (let past = 0; past < seconds * 1_000; past = monotonic() - from) {
  if (past >= mentioned * between * 1_000) mention();
  while (interacted < (past * pressed) / 1_000) interact();
  while (said + interacted < (past * rate) / 1_000) talk();
  await sleep(1);
}
while (silent.size > 0 || acks.length < interacted) await sleep(LOOK);
clearInterval(looking);
process.stdout.write(`${JSON.stringify({ acks, silences })}\n`);
await fake.close();

/** Live threads in which two people talk to each other: each of their messages is stored and looked at. */
async function prepare(): Promise<readonly string[]> {
  await fake.gateway.waitFor(1, "identified");
  await fake.nextCall("PUT /applications/{app}/commands");
  return Promise.all(
    CHANNELS.map(async (channel) => {
      const bind = () => fake.as("alice").command(channel, "parley repo", { name: repository });
      await (await registered(bind)).told;
      const { id } = fake.as("bob").say(channel, "@parley hello");
      while (!fake.world.channels.has(id) || !fake.asText(id).includes("estricted · ")) await sleep(LOOK);
      for (const name of ["carol", "bob"]) fake.as(name).say(id, "I think so");
      while (!fake.asText(id).includes("Several people write")) await sleep(LOOK);
      return id;
    }),
  );
}

/** The call that registers the commands is seen before it is carried out. */
async function registered(run: () => Interaction): Promise<Interaction> {
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!String(error).includes("no command")) throw error;
      await sleep(LOOK);
    }
  }
}

function talk(): void {
  fake.as("carol").say(threads[said % threads.length] ?? "", "and then it broke again");
  said += 1;
}

/** What a thread does is asked for, which is answered in private. */
function interact(): void {
  const sent = monotonic();
  const { ended } = fake.as("bob").command(threads[interacted % threads.length] ?? "", "parley status");
  void ended.then(({ kind }) => acks.push(kind === "failed" ? LOST : monotonic() - sent));
  interacted += 1;
}

function mention(): void {
  const channel = CHANNELS[mentioned % CHANNELS.length] ?? "one";
  const { id } = fake.as("alice").say(channel, "@parley where is the readme?");
  silent.set(id, monotonic());
  mentioned += 1;
}

function look(): void {
  for (const { route, params } of fake.calls.slice(heard)) {
    const root = params["channel"] ?? "";
    const since = silent.get(root);
    if (since === undefined || !SIGNS.includes(route)) continue;
    silences.push(monotonic() - since);
    silent.delete(root);
  }
  heard = fake.calls.length;
}
