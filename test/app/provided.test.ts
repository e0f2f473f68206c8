/** What features provide together, and what stands in for those that are missing. */

import { expect, it } from "vitest";
import * as z from "zod";
import { type Core, defineFeature, type Feature } from "../../src/feature.ts";
import type { PricedModel } from "../../src/ports/model.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { openFeaturesOf } from "../adapters/open-features.ts";
import { createManualClock, textAnswer } from "../runtime/world.ts";
import { openMemory } from "../store/in-memory.ts";

const no = () => Promise.reject(new Error("there is no bot"));

const open = (features: readonly Feature[]) => {
  const opened = openMemory();
  const bot = { create: no, say: no, read: no, act: no, forget: no };
  const parts = { ...opened, clock: createManualClock(), log: silentLog, surfaces: () => [], bot };
  return openFeaturesOf(parts, features);
};

const PRICED: PricedModel = {
  model: { window: () => 1, respond: () => Promise.resolve(textAnswer("plain")) },
  prices: () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  longest: () => 1,
};

it("without features nothing is counted, wrapped, held or given again", async () => {
  const features = await open([]);
  expect(await features.budgets.set("day", 5, "console:operator")).toEqual({ kind: "done" });
  expect(features.budgets.overview().standings).toEqual([]);
  expect(features.wrapModel(PRICED)).toBe(PRICED.model);
  expect(features.reviewedIn("c-1")).toBeNull();
  expect([features.reuse, features.attends]).toEqual([undefined, []]);
});

const wrapping = (name: string) =>
  defineFeature({
    name,
    settings: z.object({}),
    open: async () => ({
      wrapModel: ({ model }) => ({ ...model, window: (of) => model.window(`${of} ${name}`) }),
    }),
  });

it("models are wrapped in the order of the list, each around the one before", async () => {
  const asked: string[] = [];
  const model = { ...PRICED.model, window: (of: string) => asked.push(of) };
  const features = await open([wrapping("inner"), wrapping("outer")]);
  features.wrapModel({ ...PRICED, model }).window("m");
  expect(asked).toEqual(["m outer inner"]);
});

it("a push and a changed pull request reach each feature that takes them, also a later one; if none does, nobody can report them", async () => {
  const reported: string[] = [];
  const reports = (take: boolean) => {
    const of = {
      report: (): ReturnType<Core["pushed"]> => null,
      change: (): ReturnType<Core["pullChanged"]> => null,
    };
    const first = defineFeature({
      name: "first",
      settings: z.object({}),
      open: async (_, core) => {
        of.report = core.pushed;
        of.change = core.pullChanged;
        return {};
      },
    });
    const later = defineFeature({
      name: "later",
      settings: z.object({}),
      open: async () =>
        take
          ? {
              pushed: (repo: string) => void reported.push(repo),
              pullChanged: ({ branches }) => void reported.push(...branches),
            }
          : {},
    });
    return { of, features: [first, later] };
  };
  const taken = reports(true);
  await open(taken.features);
  taken.of.report()?.("github.com/acme/api");
  taken.of.change()?.({ repo: "github.com/acme/api", numbers: [], branches: ["parley/c-1"] });
  expect(reported).toEqual(["github.com/acme/api", "parley/c-1"]);
  const none = reports(false);
  await open(none.features);
  expect([none.of.report(), none.of.change()]).toEqual([null, null]);
});
