/**
 * One streamed answer, and many at once, on Slack and on Discord: Parley beside a bot on Vercel's Chat SDK and one written
 * by hand, all before the same stand-ins at the level of the wire, which keep the platforms' real limits for each: Slack's
 * tiers by method and workspace, a message a second in a channel; Discord's buckets by route and for the bot.
 *
 * The model writes 500 characters a second, in 50 chunks (500 answers at once: 20), whatever the bot makes of them. The bots take turns within a round: Parley and the others before the same work,
 * one after the other; the ratio is formed round by round. Every request that a bot makes for an answer counts as a call;
 * some read people or set a status, the others write the answer.
 * A reader is behind by the time from the model's saying some words until a message shows them or later ones; words that
 * are never shown count until the end of the round. Many at once ask in one channel, 500 in fifty, and what is not there half a
 * minute after the model has ended is not whole in the end. One at a time, both platforms are measured side by side, each
 * with processes of its own.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench, Scale } from "../bench.ts";
import {
  atMost,
  atMostOf,
  type Figure,
  measured,
  type Peers,
  skipped,
  summarize,
  type Target,
} from "../figure.ts";
import { smallRepository } from "../repository.ts";
import { type Temporary, temporary } from "../temporary.ts";
import {
  type Bot,
  botsFor,
  CHAT_SDK,
  type Order,
  type Outcome,
  type Pair,
  PARLEY,
  type PlatformName,
} from "./bots.ts";

interface Load extends Order {
  readonly rounds: number;
}

const ALONE = { count: 1, channels: 1, chunk: 10, patience: 5_000 } as const;
const MANY = { channels: 1, chunk: 10, patience: 30_000, rounds: 1 } as const;
const LOADS: Readonly<Record<Scale, { readonly alone: readonly Load[]; readonly many: readonly Load[] }>> = {
  full: {
    alone: [
      { ...ALONE, characters: 2_000, rounds: 3 },
      { ...ALONE, characters: 12_000, rounds: 2 },
    ],
    many: [
      { ...MANY, count: 50, characters: 2_000 },
      { ...MANY, count: 50, characters: 12_000 },
      { ...MANY, count: 500, characters: 2_000, channels: 50, chunk: 25 },
    ],
  },
  tiny: {
    alone: [{ ...ALONE, characters: 500, rounds: 1 }],
    many: [{ ...MANY, count: 2, characters: 500, patience: 5_000 }],
  },
};
const PLATFORMS = ["slack", "discord"] as const;

type Note = (line: string) => void;

export const aloneBench: Bench = {
  name: "answers-alone",
  what: "answers that stream on Slack and on Discord, one at a time, beside bots on the Chat SDK and by hand (Bolt, discord.js)",
  run: async (scale, note) => {
    await using place = await temporary();
    const repo = await smallRepository(join(place.path, "repo"));
    const figures = await Promise.all(
      PLATFORMS.map((platform) => takeTurns({ platform, place, repo }, LOADS[scale].alone, note)),
    );
    return figures.flat();
  },
};

export const manyBench: Bench = {
  name: "answers-at-once",
  what: "answers that stream on Slack and on Discord, 50 and 500 at once, beside bots on the Chat SDK and by hand (Bolt, discord.js)",
  run: async (scale, note) => {
    await using place = await temporary();
    const repo = await smallRepository(join(place.path, "repo"));
    const figures: Figure[] = [];
    for (const load of LOADS[scale].many)
      for (const platform of PLATFORMS)
        figures.push(...(await comeAndGo({ platform, place, repo }, load, note)));
    return figures;
  },
};

interface Stage {
  readonly platform: PlatformName;
  readonly place: Temporary;
  readonly repo: string;
}

/** All bots stand ready at once and answer one after the other, round by round. */
const takeTurns = async (stage: Stage, loads: readonly Load[], note: Note): Promise<readonly Figure[]> => {
  const bots = await botsFor(stage.platform);
  await using stack = new AsyncDisposableStack();
  const pairs = new Map<string, Pair>();
  for (const [who, bot] of Object.entries(bots))
    if (bot.kind === "there") pairs.set(who, stack.use(await open(stage, who, bot, ALONE.channels)));
  const figures: Figure[] = [];
  for (const load of loads) {
    const outcomes = new Map<string, Outcome[]>();
    for (let round = 0; round < load.rounds; round += 1) {
      for (const [who, pair] of pairs) {
        note(`${titleOf(stage, load)}: ${who}`);
        outcomes.set(who, [...(outcomes.get(who) ?? []), await pair.answer(load)]);
      }
    }
    figures.push(...figuresOf(titleOf(stage, load), load, bots, outcomes));
  }
  return figures;
};

/** Each bot has gone before the next one comes: what it has not got rid of would be in the other's way. */
const comeAndGo = async (stage: Stage, load: Load, note: Note): Promise<readonly Figure[]> => {
  const bots = await botsFor(stage.platform);
  const outcomes = new Map<string, Outcome[]>();
  for (const [who, bot] of Object.entries(bots)) {
    if (bot.kind === "missing") continue;
    note(`${titleOf(stage, load)}: ${who}`);
    await using pair = await open(stage, `${who} ${load.count} of ${load.characters}`, bot, load.channels);
    outcomes.set(who, [await pair.answer(load)]);
  }
  return figuresOf(titleOf(stage, load), load, bots, outcomes);
};

/** It has answered before anything is counted. It has no more channels than it needs, because a host reads their history. */
const open = async (
  stage: Stage,
  name: string,
  bot: Bot & { readonly kind: "there" },
  channels: number,
): Promise<Pair> => {
  const path = join(stage.place.path, `${stage.platform} ${name}`);
  await mkdir(path);
  const pair = await bot.open({ ...stage, channels, path });
  await pair.answer({ ...ALONE, channels, characters: 200 });
  return pair;
};

const NAMES = { slack: "Slack", discord: "Discord" } as const;

const titleOf = ({ platform }: Stage, { count, characters }: Load): string =>
  `${NAMES[platform]}, ${count === 1 ? "one" : count} of ${characters.toLocaleString("en-US")} characters`;

const figuresOf = (
  title: string,
  load: Load,
  bots: Readonly<Record<string, Bot>>,
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
): readonly Figure[] => {
  const ours = outcomes.get(PARLEY) ?? [];
  const figure = (
    what: string,
    unit: string,
    of: (outcome: Outcome) => number,
    target: Target | null = null,
  ): Figure => {
    const peers: Record<string, Peers[string]> = {};
    for (const [who, bot] of Object.entries(bots)) {
      if (who !== PARLEY) peers[who] = bot.kind === "missing" ? bot.why : (outcomes.get(who) ?? []).map(of);
    }
    return ours.length === 0
      ? skipped(what, "no answer")
      : measured(`${title}: ${what}`, unit, ours.map(of), target, peers);
  };
  const { p50, p95 } = freshest(title, load);
  return [
    figure("calls of the platform for each", "", ({ calls }) => calls, atMostOf(CHAT_SDK, 1)),
    figure("of which write the answer", "", ({ writes }) => writes, atMostOf(CHAT_SDK, 1)),
    figure(
      "of which were refused as too many",
      "",
      ({ refusals }) => refusals,
      load.count === 500 ? null : atMost(0),
    ),
    figure("processor time for each", "ms", ({ processor }) => processor, atMostOf(CHAT_SDK, 1.3)),
    figure("first words visible", "ms", ({ first }) => summarize(first).median, atMostOf(CHAT_SDK, 1.5)),
    figure("readers behind, p50", "ms", behind("median"), p50),
    figure("readers behind, p95", "ms", behind("p95"), p95),
    figure("readers behind, p99", "ms", behind("p99")),
    figure("answers not whole in the end", "", ({ torn }) => torn, atMost(0)),
  ];
};

const freshest = (title: string, { count }: Load): Readonly<Record<"p50" | "p95", Target | null>> => {
  if (count > 1) return { p50: null, p95: count === 50 ? atMost(5_000) : null };
  return title.startsWith(NAMES.slack)
    ? { p50: atMost(350), p95: atMost(900) }
    : { p50: null, p95: atMost(2_000) };
};

const behind =
  (share: "median" | "p95" | "p99") =>
  (outcome: Outcome): number =>
    summarize(outcome.behind)[share];
