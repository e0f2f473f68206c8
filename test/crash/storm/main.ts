/**
 * A storm: the real process in front of the wire-level Slack, Discord and model, while people talk and one trouble comes
 * after another. Arguments: seconds, the one trouble that is
 * wanted (empty: all in turn), and a directory that may be filled, if there is one. Says on standard error what befalls it, and at the end one line of JSON: what became of every message, and how long after the last trouble all was settled.
 */

import { mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { smallRepository } from "../../bench/repository.ts";
import { temporary } from "../../bench/temporary.ts";
import { type RunningHost, startHost } from "../../app/cli/host.ts";
import { openStore } from "../../store/open-store.ts";
import { type Kept, readKept } from "./record.ts";
import { createTown, STRANGER } from "./town.ts";
import { type Stage, TROUBLES } from "./troubles.ts";

const seconds = Number(process.argv[2] ?? "60");
const only = process.argv[3] ?? "";
const disk = process.argv[4] ?? null;

/** Threads, people in the largest, and the time between two messages and two troubles. */
const THREADS = 6;
const PEOPLE = 5;
const SPEAK_EVERY = 900;
const CALM = only === "" ? 6_000 : 500;
/** Of each second of a short storm, in milliseconds. */
const SHARE = seconds < 60 ? 200 : 40;
/** In a minute each trouble comes once, however slow the machine is; in less so many do. */
const FEW = 2;
/** Everything has to be settled so soon after the last trouble. */
const SETTLED = 60_000;
/** Longer than that nobody waits. */
const PATIENCE = 120_000;

const tell = (line: string): void => void writeSync(2, `${line}\n`);

await using place = await temporary();
const repo = await smallRepository(join(place.path, "repo"));
const data = join(disk ?? place.path, "data");
mkdirSync(data, { mode: 0o700 });
const town = await createTown(PEOPLE);
const opened = openStore(data);
if (opened.kind === "failed") throw new Error(opened.message);
for (const surface of ["slack", "discord"] as const) {
  const bound = { repo: { kind: "path", location: repo }, by: `${surface}:operator`, at: 1 } as const;
  await opened.chat.bind(surface, town.places[surface], bound);
}
await opened.store.close();

const env = {
  HOME: place.path,
  ...Object.fromEntries(
    ["STRANGER", "PERSON", "CHANNEL", "SERVER", "DAY"].map((whose) => [`PARLEY_BUDGET_${whose}`, "none"]),
  ),
  PARLEY_NON_APPROVER_TURNS_PER_HOUR: "1000",
  PARLEY_REPO: repo,
  PARLEY_REPOS: repo,
  ANTHROPIC_API_KEY: town.model.apiKey,
  ANTHROPIC_BASE_URL: town.model.url,
  SLACK_BOT_TOKEN: town.slack.botToken,
  SLACK_APP_TOKEN: town.slack.appToken,
  SLACK_API_URL: town.slack.apiUrl,
  DISCORD_TOKEN: town.discord.token,
  DISCORD_API_URL: town.discord.apiUrl,
};
/** Milliseconds until each new process was up. */
const starts: number[] = [];
let host: RunningHost = await startHost(data, env);

const stage: Stage = {
  town,
  host: () => host,
  again: async (signal) => {
    await host.stop(signal);
    const from = performance.now();
    host = await startHost(data, env);
    starts.push(Math.round(performance.now() - from));
  },
  data,
  mayFill: disk !== null,
};

const status = z.looseObject({
  queues: z.looseObject({
    working: z.number(),
    behind: z.record(z.string(), z.number()),
    unhandled: z.record(z.string(), z.number()),
  }),
  late: z.array(z.unknown()),
});

/** What is left to do, in words; null where nothing is. */
const left = async (): Promise<string | null> => {
  const answer = await host.call("GET", "/api/status").catch(() => null);
  const read = status.safeParse(answer?.body);
  if (!read.success) return "the host does not answer";
  const { queues, late } = read.data;
  const { working, behind, unhandled } = queues;
  const isQuiet = working === 0 && Object.keys({ ...behind, ...unhandled }).length === 0;
  const { doubled } = town.verdict();
  const kept = readKept(data);
  const lost = lostOf(kept);
  const streams = town.openStreams();
  const cards = town.cards();
  const isWhole = lost.length === 0 && doubled.length === 0 && kept.open === 0;
  return isQuiet && isWhole && streams.length === 0 && cards.length === 0
    ? null
    : JSON.stringify({ working, behind, unhandled, late, lost, doubled, open: kept.open, streams, cards });
};

/** The thread says of no turn of theirs that it was stopped or interrupted. */
const lostOf = ({ cut }: Kept): readonly string[] =>
  town.verdict().lost.flatMap(({ no, where }) => (cut.has(no) ? [] : [where]));

const silence = new AbortController();
const talk = async (): Promise<void> => {
  for (let no = 0; !silence.signal.aborted; no += 1) {
    if (no < THREADS) town.begin(no);
    else for (let who = 0; who <= no % 2; who += 1) town.say(no * 7, no * 3 + who);
    for (let looks = 0; looks < SPEAK_EVERY / 100; looks += 1) {
      await sleep(100);
      town.look();
    }
  }
};

const begun = performance.now();
const talking = talk();
await sleep(Math.min(CALM, seconds * SHARE));
const met: string[] = [];
const names = only === "" ? Object.keys(TROUBLES) : [only];
const fewest = seconds < 60 ? FEW : names.length;
for (let no = 0; no < fewest || performance.now() - begun < seconds * 1_000; no += 1) {
  const name = names[no % names.length] ?? "kill";
  tell(`${Math.round((performance.now() - begun) / 1_000)} s: ${name}`);
  await TROUBLES[name]?.(stage);
  met.push(name);
  town.restrictAll();
  await sleep(Math.min(CALM, seconds * SHARE));
}
silence.abort();
await talking;
const calm = performance.now();
let rest: string | null = "";
while (rest !== null && performance.now() - calm < PATIENCE) {
  town.tryAgain();
  town.look();
  rest = await left();
  if (rest !== null) await sleep(500);
}
const settledAfter = Math.round(performance.now() - calm);
const verdict = town.verdict();
const kept = readKept(data);
const lost = lostOf(kept);
for (const line of lost.slice(0, 5)) tell(`${line}\n${town.threadOf(line)}`);
if (rest !== null) tell(`not settled: ${rest}\n${host.errors.slice(-30).join("\n")}`);
const ended = await host.stop("SIGTERM");
const cutShort = verdict.lost.flatMap(({ no }) => kept.cut.get(no) ?? []);
const byStranger = kept.deciders.filter((who) => town.idsOf(STRANGER).includes(who)).length;
const streams = town.openStreams();
const cards = town.cards();
const isClean =
  rest === null &&
  streams.length === 0 &&
  cards.length === 0 &&
  settledAfter <= SETTLED &&
  lost.length === 0 &&
  verdict.doubled.length === 0 &&
  byStranger === 0 &&
  town.violations().length === 0;
console.log(
  JSON.stringify({
    ...verdict,
    lost,
    streams,
    cards,
    stopped: cutShort.filter((how) => how === "stopped").length,
    interrupted: cutShort.filter((how) => how === "interrupted").length,
    clicks: { ...town.clicks(), decided: kept.deciders.length, byStranger, unanswered: kept.open },
    starts,
    troubles: met,
    settledAfter,
    isClean,
    ended,
    violations: town.violations().slice(0, 10),
  }),
);
await town.close();
process.exitCode = isClean ? 0 : 1;
