/**
 * One streamed answer, and many at once, on Slack and on Discord: Parley beside a bot on Vercel's Chat SDK and one written
 * by hand, all before the same stand-ins at the level of the wire, which keep the platforms' real limits for each: Slack's
 * tiers by method and workspace, a message a second in a channel; Discord's buckets by route and for the bot.
 *
 * The model writes 500 characters a second. The bots take turns within a round: Parley and the others before the same work,
 * one after the other; the ratio is formed round by round. Every request that a bot makes for an answer counts as a call.
 * A reader is behind by the time from the model's saying some words until a message shows them or later ones; words that
 * are never shown count until the end of the round. Many at once ask in one channel, 500 in fifty, and it is waited a minute
 * and a half for what is not there when the model has ended.
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

const ALONE = { count: 1, channels: 1, patience: 5_000 } as const;
const MANY = { channels: 1, patience: 90_000, rounds: 1 } as const;
const LOADS: Readonly<Record<Scale, readonly Load[]>> = {
  full: [
    { ...ALONE, characters: 2_000, rounds: 5 },
    { ...ALONE, characters: 6_000, rounds: 3 },
    { ...ALONE, characters: 12_000, rounds: 2 },
    { ...MANY, count: 50, characters: 6_000 },
    { ...MANY, count: 500, characters: 2_000, channels: 50 },
  ],
  tiny: [
    { ...ALONE, characters: 500, rounds: 1 },
    { ...MANY, count: 2, characters: 500, patience: 5_000 },
  ],
};
const CHANNELS = 50;

type Note = (line: string) => void;

const benchOf = (platform: PlatformName, name: string): Bench => ({
  name: `${platform}-answers`,
  what: `answers that stream on ${name}, alone and many at once, beside other bots`,
  run: async (scale, note) => {
    await using place = await temporary();
    const world = { platform, place, repo: await smallRepository(join(place.path, "repo")) };
    const bots = await botsFor(platform);
    const alone = LOADS[scale].filter(({ count }) => count === 1);
    const many = LOADS[scale].filter(({ count }) => count > 1);
    const figures = await takeTurns(world, bots, alone, note);
    for (const load of many) figures.push(...(await takeTurns(world, bots, [load], note)));
    return figures;
  },
});

export const slackAnswersBench = benchOf("slack", "Slack");
export const discordAnswersBench = benchOf("discord", "Discord");

interface Stage {
  readonly platform: PlatformName;
  readonly place: Temporary;
  readonly repo: string;
}

/** All bots stand ready at once and answer one after the other; each has answered before anything is counted. */
const takeTurns = async (
  stage: Stage,
  bots: Readonly<Record<string, Bot>>,
  loads: readonly Load[],
  note: Note,
): Promise<Figure[]> => {
  await using stack = new AsyncDisposableStack();
  const pairs: { readonly who: string; readonly pair: Pair }[] = [];
  for (const [no, [who, bot]] of Object.entries(bots).entries()) {
    if (bot.kind === "missing") continue;
    const path = join(stage.place.path, `${loads[0]?.count}-${no}`);
    await mkdir(path);
    const pair = stack.use(await bot.open({ ...stage, channels: CHANNELS, path }));
    await pair.answer({ ...ALONE, channels: CHANNELS, characters: 200 });
    pairs.push({ who, pair });
  }
  const figures: Figure[] = [];
  for (const load of loads) {
    const outcomes = new Map<string, Outcome[]>(pairs.map(({ who }) => [who, []]));
    for (let round = 0; round < load.rounds; round += 1) {
      for (const { who, pair } of pairs) {
        note(`${titleOf(load)}: ${who}`);
        outcomes.get(who)?.push(await pair.answer(load));
      }
    }
    figures.push(...figuresOf(load, bots, outcomes));
  }
  return figures;
};

const titleOf = ({ count, characters }: Load): string =>
  `${count === 1 ? "one answer" : `${count} at once`} of ${characters.toLocaleString("en-US")} characters`;

const figuresOf = (
  load: Load,
  bots: Readonly<Record<string, Bot>>,
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
): readonly Figure[] => {
  const title = titleOf(load);
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
  const freshest = load.count === 1 ? atMost(2_000) : load.count === 50 ? atMost(5_000) : null;
  return [
    figure("calls of the platform for each", "", ({ calls }) => calls, callsAsked(load)),
    figure("of which were refused as too many", "", ({ refusals }) => refusals),
    figure("processor time for each", "ms", ({ processor }) => processor, atMostOf(CHAT_SDK, 0.6)),
    figure("first words visible", "ms", ({ first }) => summarize(first).median, atMostOf(CHAT_SDK, 1.5)),
    figure("readers behind, p50", "ms", behind("median")),
    figure("readers behind, p95", "ms", behind("p95"), freshest),
    figure("readers behind, p99", "ms", behind("p99")),
    figure("answers with lost or doubled parts", "", ({ torn }) => torn, atMost(0)),
  ];
};

const behind =
  (share: "median" | "p95" | "p99") =>
  (outcome: Outcome): number =>
    summarize(outcome.behind)[share];

const callsAsked = ({ characters }: Load): Target | null =>
  characters === 2_000 ? atMostOf(CHAT_SDK, 1) : characters === 6_000 ? atMostOf(CHAT_SDK, 0.5) : null;
