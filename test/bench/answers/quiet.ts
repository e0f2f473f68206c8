/**
 * A Slack answer of 2,000 characters after five minutes without a message, and the next one: Parley beside the other bots, all
 * of which are quiet at the same time and then answer one after the other. Processor time is less disturbed by other work
 * on the machine than waiting is.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { atMostOf, measured, type Peers, skipped, type Target } from "../figure.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";
import { type Bot, botsFor, CHAT_SDK, PARLEY, type Pair } from "./bots.ts";

const SCALES = {
  full: { characters: 2_000, rounds: 3, quiet: 300_000 },
  tiny: { characters: 500, rounds: 1, quiet: 1_000 },
} as const;

export const quietBench: Bench = {
  name: "answers-quiet",
  what: "processor time of a short Slack answer after five quiet minutes, beside bots on the Chat SDK and by hand (Bolt)",
  run: async (scale, note) => {
    const { characters, rounds, quiet } = SCALES[scale];
    await using place = await temporary();
    const repo = await smallRepository(join(place.path, "repo"));
    await using stack = new AsyncDisposableStack();
    const bots = await botsFor("slack");
    const order = { count: 1, channels: 1, chunk: 10, patience: 5_000, characters };
    const pairs = new Map<string, Pair>();
    for (const [who, bot] of Object.entries(bots)) {
      if (bot.kind === "missing") continue;
      const path = join(place.path, who);
      await mkdir(path);
      const pair = stack.use(await bot.open({ platform: "slack", repo, channels: 1, path }));
      for (let warm = 0; warm < 2; warm += 1) await pair.answer(order);
      pairs.set(who, pair);
    }
    const used = { quiet: new Map<string, number[]>(), next: new Map<string, number[]>() };
    for (let round = 0; round < rounds; round += 1) {
      note(`round ${round + 1} of ${rounds}: quiet`);
      await sleep(quiet);
      for (const [who, pair] of pairs)
        for (const kind of ["quiet", "next"] as const) {
          const { processor } = await pair.answer(order);
          used[kind].set(who, [...(used[kind].get(who) ?? []), processor]);
        }
    }
    return [
      figure("after five quiet minutes", bots, used.quiet, atMostOf(CHAT_SDK, 1.3)),
      figure("right after another answer", bots, used.next, null),
    ];
  },
};

const figure = (
  what: string,
  bots: Readonly<Record<string, Bot>>,
  used: ReadonlyMap<string, readonly number[]>,
  target: Target | null,
) => {
  const peers: Record<string, Peers[string]> = {};
  for (const [who, bot] of Object.entries(bots))
    if (who !== PARLEY) peers[who] = bot.kind === "missing" ? bot.why : (used.get(who) ?? []);
  const ours = used.get(PARLEY) ?? [];
  return ours.length === 0 ? skipped(what, "no answer") : measured(what, "ms", ours, target, peers);
};
