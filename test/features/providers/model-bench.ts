/**
 * What it costs the host to take in a streamed answer, for each family of providers beside Anthropic's path: CPU of this
 * process, all its threads, for a thousand tokens that come as a thousand deltas. The provider is another process. The
 * families take turns in every round, and a ratio is of one round, so that what the machine does besides weighs on both.
 */

import { join } from "node:path";
import { systemClock } from "../../../src/app/system-clock.ts";
import { secrecyOfSetting } from "../../../src/app/settings/config.ts";
import { createModelRouter } from "../../../src/model/router.ts";
import type { Model } from "../../../src/ports/model.ts";
import { configure, FAMILIES, type Family } from "./families.ts";
import type { Bench } from "../../bench/bench.ts";
import { launch } from "../../bench/child.ts";
import { measured } from "../../bench/figure.ts";
import { WIRES } from "../../bench/models/wires.ts";

export const modelBench: Bench = {
  name: "model",
  what: "host CPU per 1,000 streamed tokens, for each family of providers beside Anthropic's path",
  run: async (scale, note) => {
    const [tokens, rounds] = scale === "tiny" ? [50, 2] : [4_000, 25];
    await using server = launch([join(import.meta.dirname, "../../bench/models/server.ts"), String(tokens)]);
    const url = await server.line();
    const asks = await Promise.all(
      WIRES.map(async ({ family }, at) => asking(await configure(familyNamed(family), `${url}/${at}`))),
    );
    const costs = WIRES.map((): number[] => []);
    for (let round = -WARM; round < rounds; round += 1) {
      for (const place of WIRES.keys()) {
        const at = (place + Math.max(0, round)) % WIRES.length;
        const cost = await costOf(() => asks[at]?.(tokens) ?? Promise.resolve());
        if (round >= 0) costs[at]?.push((cost * 1_000) / tokens);
      }
      if (round % 5 === 0) note(`round ${round} of ${rounds}`);
    }
    const [usual = []] = costs;
    return WIRES.flatMap(({ family }, at) => {
      const own = costs[at] ?? [];
      const ratio = own.map((cost, index) => cost / Math.max(0.001, usual[index] ?? 0));
      return [
        measured(`${family}, 1,000 tokens`, "ms", own),
        ...(at === 0 ? [] : [measured(`${family} over anthropic`, "x", ratio)]),
      ];
    });
  },
};

/** Rounds before the first that counts: packages are loaded and code is compiled in them. */
const WARM = 3;

const familyNamed = (name: string): Family => {
  const found = FAMILIES.find(({ family }) => family === name);
  if (found === undefined) throw new Error(`there is no family ${name}`);
  return found;
};

/** Milliseconds of CPU that this process used meanwhile. */
const costOf = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

const asking = (configured: Awaited<ReturnType<typeof configure>>) => {
  const { model } = createModelRouter({
    models: [configured],
    isSecret: (variable) => secrecyOfSetting(variable) === "whole",
    blobs: { get: () => Promise.resolve(null) },
    log: SILENT,
    clock: systemClock,
    maxTokens: 16_384,
  });
  return (tokens: number): Promise<void> => ask(model, configured.alias, tokens);
};

const ask = async (model: Model, name: string, tokens: number): Promise<void> => {
  let heard = 0;
  const outcome = await model.respond(
    {
      conversation: "c-bench",
      model: name,
      prefix: { hash: "bench", system: "You are measured.", tools: [] },
      messages: [{ role: "user", content: [{ kind: "text", text: "Say much." }] }],
    },
    { signal: new AbortController().signal, onText: () => (heard += 1) },
  );
  if (outcome.kind !== "answered" || heard < tokens)
    throw new Error(`${name}: ${heard} deltas, ${JSON.stringify(outcome).slice(0, 300)}`);
};
