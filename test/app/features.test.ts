/** Features of a host: what they begin with, what they are called for, and how they end. */

import { expect, it } from "vitest";
import * as z from "zod";
import { observeFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { defineFeature, type SetFeature } from "../../src/feature.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge.ts";
import type { Observer } from "../../src/ports/observer.ts";
import { coreOf } from "../adapters/open-features.ts";
import { openMemory } from "../store/in-memory.ts";

const EARLY = {
  clock: { now: () => 1, after: () => () => undefined },
  version: "0",
  keyOf: (name: string) => (name === "ONE_KEY" ? "value of the key" : null),
};

const SETTINGS = z.object({});

type Sample = Parameters<typeof defineFeature<typeof SETTINGS, null>>[0];

const setOf = (define: Pick<Sample, "observe" | "open">): SetFeature => {
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

const never = () => Promise.reject(new Error("nobody asks it"));

const opened = async (...features: readonly NonNullable<Sample["open"]>[]): Promise<OpenFeatures> => {
  const begun = await observeFeatures(
    features.map((open) => setOf({ open })),
    EARLY,
  );
  if (begun.kind === "invalid") throw new Error("invalid");
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const bot = { create: never, say: never, read: never, act: never };
  return begun.open(coreOf({ ...openMemory(), ...EARLY, log, bot, surfaces: () => [] }));
};

it("each is told of changes here and on other hosts; what begins work ends first, the rest in reverse", async () => {
  const told: string[] = [];
  const sample = (name: string) => async () => ({
    heard: (id: string) => void told.push(`${name} heard ${id}`),
    changed: (tables: ReadonlySet<string>) => void told.push(`${name} changed ${[...tables].join()}`),
    leave: async () => void told.push(`${name} left`),
    close: async () => void told.push(`${name} closed`),
  });
  const features = await opened(sample("one"), async () => ({}), sample("two"));
  features.heard("c-1", { kind: "gone" });
  features.changed(new Set(["solved", "watches"]));
  await features.leave();
  await features.close();
  expect(told).toEqual([
    "one heard c-1",
    "two heard c-1",
    "one changed solved,watches",
    "two changed solved,watches",
    "one left",
    "two left",
    "two closed",
    "one closed",
  ]);
});

it("the core has what a feature provides, and without one what does nothing", async () => {
  const knowledge = { ...NO_KNOWLEDGE };
  const provided = await opened(async () => ({ knowledge, servers: ["linear"] }));
  expect(provided.knowledge).toBe(knowledge);
  expect(provided.servers).toEqual(["linear"]);
  const none = await opened(async () => ({}));
  expect(none.knowledge).toBe(NO_KNOWLEDGE);
  expect([none.servers, none.tools]).toEqual([[], []]);
});
