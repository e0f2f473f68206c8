/**
 * Slack, Discord and the model in a process of their own, and the person who talks there: every message has a number, and
 * its one answer repeats it. Some requests of every kind are spoiled. Argument: messages a second. Says first where all
 * of them listen and which channels there are; `go` begins, `count` says how many messages were said and answered so
 * far, `stop` ends the talk, waits until every thread is quiet, and says what each message came to.
 *
 * A thread takes its next message when the line below its last answer has come, so that nothing is ever refused as busy;
 * where all threads of a surface are busy, a new one begins.
 */

import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonic } from "../bench/clock.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createFakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack } from "../fakes/slack/fake.ts";
import { addFaults } from "./faults.ts";

const rate = Number(process.argv[2] ?? "20");
/** Messages of a thread before another one takes its place. */
const LONG = 40;
/** Of so many messages one goes to Discord, whose pace for an app cannot be set aside. */
const SHARE = 3;
/** Of so many turns one runs a command. */
const COMMANDS = 10;
/** How long nothing may change before what is missing counts as lost: a stalled model is given up after two minutes. */
const PATIENCE = 240_000;
const NAMES: readonly string[] = Array.from({ length: 10 }, (_, index) => `soak${index}`);

interface Talk {
  readonly surface: "slack" | "discord";
  readonly channel: string;
  readonly root: string;
  said: number;
  isBusy: boolean;
  /** The number of its last message, and whether the answer to that was seen. */
  last: number;
  isAnswered: boolean;
}

const channels = NAMES.map((name) => ({ name }));
const users = [{ name: "alice", role: "owner" as const }];
const slack = await createFakeSlack({ rates: "off", channels, users });
const members = [{ name: "alice", roles: ["maintainer"] }];
const discord = await createFakeDiscord({ rates: "off", guilds: [{ name: "Soak", channels, members }] });
const model = await createFakeAnthropic();
const spoiled = addFaults({ slack, discord, model });

const answerOf = (no: string): string => `This answers message ${no}. It is all there is to say of it.\n`;

model.scriptAlways(({ messages }) => {
  const text = JSON.stringify(messages);
  const no = [...text.matchAll(/\[message (\d+)\]/g)].at(-1)?.[1] ?? "";
  const isNew = text.lastIndexOf("tool_result") < text.lastIndexOf(`[message ${no}]`);
  return isNew && Number(no) % COMMANDS === 0
    ? call("bash", { command: "ls && echo done" })
    : say(answerOf(no), 20);
});

const talks = new Map<string, Talk>();
/** Where each message was said. */
const places: Pick<Talk, "surface" | "channel" | "root">[] = [];
let said = 0;
let isTalking = false;

const idle = (surface: Talk["surface"]): Talk | undefined => {
  for (const talk of talks.values()) {
    if (talk.surface === surface && !talk.isBusy && talk.said < LONG) return talk;
  }
  return undefined;
};

const speak = (): void => {
  const no = said++;
  const surface = no % SHARE === 0 ? "discord" : "slack";
  const text = `@parley tell me [message ${no}]`;
  const talk = idle(surface) ?? begin(surface, text);
  if (talk.said > 0 && surface === "slack") {
    slack.as("alice").say(text, { channel: talk.channel, thread: talk.root });
  }
  if (talk.said > 0 && surface === "discord") discord.as("alice").say(talk.root, text);
  const { channel, root } = talk;
  places[no] = { surface, channel, root };
  talk.said += 1;
  talk.isBusy = true;
  talk.last = no;
  talk.isAnswered = false;
};

const begin = (surface: Talk["surface"], text: string): Talk => {
  const channel = NAMES[said % NAMES.length] ?? "";
  const root =
    surface === "slack"
      ? slack.as("alice").say(text, { channel }).ts
      : discord.as("alice").say(channel, text).id;
  const talk: Talk = { surface, channel, root, said: 0, isBusy: false, last: 0, isAnswered: false };
  talks.set(root, talk);
  return talk;
};

/**
 * The line below an answer: the turn is over in the host. One that was spoiled is sent again, when the next turn may have
 * begun: so it counts only behind the answer to the last message.
 */
const FOOTER = "estricted · ";
let heard = { slack: 0, discord: 0 };

const listen = (): void => {
  for (const { method, args } of slack.calls.slice(heard.slack)) {
    if (method === "chat.postMessage") hear(String(args["thread_ts"]), JSON.stringify(args));
  }
  for (const { route, params, body } of discord.calls.slice(heard.discord)) {
    const channel = params["channel"] ?? "";
    // The first post of a thread may come before the thread, and comes again.
    if (route === "POST /channels/{channel}/messages" && discord.world.channels.has(channel))
      hear(channel, JSON.stringify(body));
  }
  heard = { slack: slack.calls.length, discord: discord.calls.length };
};

const hear = (root: string, posted: string): void => {
  const talk = talks.get(root);
  if (talk === undefined) return;
  if (posted.includes(`This answers message ${talk.last}.`)) talk.isAnswered = true;
  if (!talk.isAnswered || !posted.includes(FOOTER)) return;
  talk.isBusy = false;
  if (talk.said >= LONG) talks.delete(root);
};

/** Open loop: a message is due when it is due. */
const talkOn = async (): Promise<void> => {
  const begun = monotonic();
  const before = said;
  isTalking = true;
  for (;;) {
    if (!isTalking) return;
    listen();
    while (said - before < ((monotonic() - begun) * rate) / 1_000) speak();
    await sleep(20);
  }
};

/** How often each message was answered, as everything stands in the threads. */
const answers = (): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  const note = (text: string): void => {
    for (const [, no] of text.matchAll(/This answers message (\d+)\./g)) {
      found.set(Number(no), (found.get(Number(no)) ?? 0) + 1);
    }
  };
  for (const name of NAMES) {
    const { id } = slack.world.channelNamed(name);
    for (const { blocks } of slack.world.messages(id)) note(JSON.stringify(blocks ?? []));
  }
  for (const channel of discord.world.channels.keys()) {
    for (const message of discord.world.messages(channel)) note(JSON.stringify(message));
  }
  return found;
};

const count = () => ({ said, answered: answers().size, threads: talks.size });

/** Turns that ended because the model failed too often in a row, and that alice tried again. */
const retried = new Set<string>();
const TRY_AGAIN = "Try again";

/** A turn whose every attempt met a fault says so: whoever waits for it presses the button. */
const tryAgain = (no: number): void => {
  const place = places[no];
  if (place === undefined) return;
  const { surface, root } = place;
  const channel = surface === "slack" ? slack.world.channelNamed(place.channel).id : root;
  if (surface === "discord" && !discord.world.channels.has(channel)) return;
  const posts = surface === "slack" ? slack.world.thread(channel, root) : discord.world.messages(channel);
  for (const post of posts) {
    const id = "ts" in post ? post.ts : post.id;
    if (retried.has(id) || !JSON.stringify(post).includes(`"${TRY_AGAIN}"`)) continue;
    if (surface === "slack") slack.as("alice").click({ channel, ts: id }, TRY_AGAIN);
    else discord.as("alice").click({ channel, id }, TRY_AGAIN);
    retried.add(id);
  }
};

/** Until each message has one answer (progress repeats one until it is taken away), or nothing changes any more. */
const untilSettled = async (): Promise<void> => {
  let [before, since] = ["", monotonic()];
  for (;;) {
    const found = answers();
    for (let no = 0; no < said; no += 1) if (!found.has(no)) tryAgain(no);
    const doubled = [...found.values()].filter((times) => times > 1).length;
    if (found.size === said && doubled === 0) return;
    const now = `${found.size} ${doubled}`;
    if (now !== before) [before, since] = [now, monotonic()];
    if (monotonic() - since > PATIENCE) return;
    await sleep(200);
  }
};

/** The thread of a message as people see it. */
const threadOf = (no: number): string => {
  const place = places[no];
  if (place === undefined) return "nowhere";
  return place.surface === "slack"
    ? slack.threadAsText(slack.world.channelNamed(place.channel).id, place.root)
    : discord.asText(discord.world.channels.has(place.root) ? place.root : place.channel);
};

const MAX_THREADS = 10;

const end = async () => {
  isTalking = false;
  await untilSettled();
  const found = answers();
  const numbers = Array.from({ length: said }, (_, no) => no);
  const lost = numbers.filter((no) => !found.has(no));
  return {
    said,
    lost,
    threads: lost.slice(0, MAX_THREADS).map((no) => `message ${no}:\n${threadOf(no)}`),
    doubled: numbers.filter((no) => (found.get(no) ?? 0) > 1),
    retried: retried.size,
    spoiled: spoiled(),
    calls: slack.calls.length + discord.calls.length,
    requests: model.requests.length,
    violations: [
      ...slack.violations,
      ...discord.violations,
      ...model.violations.map(({ message }) => message),
    ],
  };
};

const { apiUrl, botToken, appToken } = slack;
const announced = {
  slack: { apiUrl, botToken, appToken },
  discord: { apiUrl: discord.apiUrl, token: discord.token },
  model: { url: model.url, apiKey: model.apiKey },
  channels: NAMES.flatMap((name) => [
    { surface: "slack", channel: slack.world.channelNamed(name).id },
    { surface: "discord", channel: discord.world.channelNamed(name).id },
  ]),
};
console.log(JSON.stringify(announced));
for await (const line of createInterface(process.stdin)) {
  if (line === "go") void talkOn();
  if (line === "count") console.log(JSON.stringify(count()));
  if (line === "stop") console.log(JSON.stringify(await end()));
}
await Promise.all([slack.close(), discord.close(), model.close()]);
