/** Features of a host that starts: their files are read before anything is logged, and every problem counts. */

import { expect, it } from "vitest";
import * as z from "zod";
import { observeFeatures } from "../../src/app/features.ts";
import { defineFeature, type SetFeature } from "../../src/feature.ts";
import type { Observer } from "../../src/ports/observer.ts";

const EARLY = {
  clock: { now: () => 1, after: () => () => undefined },
  version: "0",
  keyOf: (name: string) => (name === "ONE_KEY" ? "value of the key" : null),
};

const SETTINGS = z.object({});

const setOf = (
  define: Pick<Parameters<typeof defineFeature<typeof SETTINGS, null>>[0], "observe">,
): SetFeature => {
  const set = defineFeature({ name: "sample", settings: SETTINGS, ...define }).set({});
  if (set.kind === "invalid") throw new Error("invalid");
  return set.feature;
};

const observing = (observer: Partial<Observer>): SetFeature =>
  setOf({
    observe: async (_, { keyOf }) => ({
      kind: "observing",
      observers: [observer],
      secrets: [keyOf("ONE_KEY") ?? ""],
      open: async () => ({}),
    }),
  });

const broken = (...problems: readonly string[]): SetFeature =>
  setOf({ observe: async () => ({ kind: "invalid", problems }) });

it("problems of all are told at once, and nothing that another one began is left", async () => {
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const features = [broken("one", "two"), observing({ close }), broken("three")];
  expect(await observeFeatures(features, EARLY)).toEqual({
    kind: "invalid",
    problems: ["one", "two", "three"],
  });
  expect(closed).toBe(1);
});

it("twin: without problems they observe, and their secrets are known before the log is made", async () => {
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const begun = await observeFeatures([observing({ close }), setOf({})], EARLY);
  if (begun.kind === "invalid") throw new Error("invalid");
  expect(begun.secrets).toEqual(["value of the key"]);
  expect(closed).toBe(0);
  await begun.observer.close();
  expect(closed).toBe(1);
});
