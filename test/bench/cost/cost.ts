/**
 * What a long triage costs: 50 turns of one thread through the whole host, each with a command and its output, in which the
 * mode changes six times, the model twice, helpers look into something, and the thread fills and goes on in another one.
 * The model's server counts tokens and reads of its cache as the provider does, by prefix; prices are the catalogue's.
 *
 * Of every request the share is formed that it read from the cache of what the one before it in the same thread had sent,
 * output aside. What breaks the prefix is told apart from what must not: first requests of a thread or a helper, and the
 * first with another model.
 */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import type { Bench } from "../bench.ts";
import { atLeast, type Figure, measured } from "../figure.ts";
import { type Host, startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";
import { type Billed, billedIn } from "./billed.ts";
import { triage } from "./script.ts";

const ALL = ["claude-sonnet-5-5", "claude-haiku-5-5"] as const;
/** Small, so that the thread fills within the 50 turns. */
const WINDOW = "24000";

export const costBench: Bench = {
  name: "cost",
  what: "tokens billed over a simulated triage of 50 turns with changes of mode, helpers, a continuation and two models",
  run: async (scale, note) => {
    const turns = scale === "tiny" ? 6 : 50;
    await using place = await temporary();
    const model = await createFakeAnthropic();
    model.scriptAlways(triage);
    const data = join(place.path, "data");
    const { url, apiKey } = model;
    const more = { PARLEY_MODEL: ALL[0], PARLEY_CONTEXT_WINDOW: WINDOW };
    const host = await startHost({
      data,
      compileCache: join(place.path, "cache"),
      repo: await smallRepository(join(place.path, "repo")),
      model: { url, apiKey },
      more,
    });
    const threads = await talk(host, turns, note);
    await host.end();
    await model.close();
    return figuresOf(await billedIn(data, threads));
  },
};

const shown = z.looseObject({ phase: z.string(), continuedTo: z.string().optional() });

/** The threads that it took. */
const talk = async (host: Host, turns: number, note: (line: string) => void): Promise<readonly string[]> => {
  const threads = [await host.begin()];
  let id = threads[0] ?? "";
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % 8 === 7)
      await host.act(id, { action: "mode", choice: turn % 16 === 7 ? "triage" : "general" });
    if (turn % 20 === 10)
      await host.act(id, { action: "model", choice: ALL[(turn % 40) / 10 === 1 ? 1 : 0] ?? "" });
    const helpers = turn % 25 === 5 ? " [helpers]" : "";
    await host.say(id, `Question ${turn}${helpers}: ${"what about this part of it? ".repeat(20)}`);
    const { phase, continuedTo } = await settled(host, id);
    if (phase !== "exhausted") continue;
    await host.act(id, { action: "continue" });
    id = continuedTo ?? (await settled(host, id, true)).continuedTo ?? "";
    threads.push(id);
    await settled(host, id);
    note(`turn ${turn + 1}: the thread is full and goes on`);
  }
  return threads;
};

const settled = async (host: Host, id: string, onwards = false): Promise<z.infer<typeof shown>> => {
  for (;;) {
    const now = shown.parse(await host.read(id));
    if (onwards ? now.continuedTo !== undefined : ["idle", "failed", "exhausted"].includes(now.phase))
      return now;
    await sleep(20);
  }
};

const figuresOf = (billed: readonly Billed[]): readonly Figure[] => {
  const sum = (of: (one: Billed) => number): number => billed.reduce((total, one) => total + of(one), 0);
  const thousands = (what: string, of: (one: Billed) => number): Figure =>
    measured(what, "thousand tokens", [sum(of) / 1_000]);
  const kept = billed.filter(({ broken }) => broken === null);
  const kinds = new Set(billed.flatMap(({ broken }) => broken ?? []));
  return [
    measured("cost by the catalogue's prices", "cents", [sum(({ usage }) => usage.costMicroUsd) / 10_000]),
    thousands("billed in full", ({ usage }) => usage.input),
    thousands("billed as written to the cache", ({ usage }) => usage.cacheWrite),
    thousands("billed as read from the cache", ({ usage }) => usage.cacheRead),
    thousands("billed as output", ({ usage }) => usage.output),
    measured(
      "cache reads of the prefix, least of a request",
      "x",
      [Math.min(...kept.map(({ share }) => share))],
      atLeast(0.95),
    ),
    measured(
      "cache reads of the prefix",
      "x",
      kept.map(({ share }) => share),
    ),
    ...[...kinds].map((kind) =>
      measured(`requests whose prefix is new: ${kind}`, "", [
        billed.filter(({ broken }) => broken === kind).length,
      ]),
    ),
  ];
};
