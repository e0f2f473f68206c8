/** Features of a host: what they begin with, what they are called for, and how they end. */

import { expect, it } from "vitest";
import * as z from "zod";
import { type OpenFeatures, readFeatures } from "../../src/app/features/open.ts";
import { readingWith } from "../../src/app/outward.ts";
import { defineFeature, type SetFeature } from "../../src/feature.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge.ts";
import { coreOf } from "../adapters/open-features.ts";
import { openMemory } from "../store/in-memory.ts";

const EARLY = { clock: { now: () => 1, after: () => () => undefined }, version: "0" };

const SETTINGS = z.object({});

type Sample = Parameters<typeof defineFeature<typeof SETTINGS, null>>[0];

const setOf = (define: Pick<Sample, "read" | "observe" | "open">): SetFeature => {
  const set = defineFeature({ name: "sample", settings: SETTINGS, ...define }).set({});
  if (set.kind === "invalid") throw new Error("invalid");
  return set.feature;
};

const observedBy = async (...features: readonly SetFeature[]) => {
  const read = await readFeatures(features, readingWith({ otherKeys: {} }));
  if (read.kind === "invalid") throw new Error("invalid");
  return read.observe(EARLY);
};

it("41.5 all observe from the beginning, and what one of them observes with is closed with the rest", async () => {
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const observing = setOf({ observe: async () => ({ observers: [{ close }], open: async () => ({}) }) });
  const { observer } = await observedBy(observing, setOf({}));
  expect(closed).toBe(0);
  await observer.close();
  expect(closed).toBe(1);
});

const never = () => Promise.reject(new Error("nobody asks it"));

const opened = async (...features: readonly NonNullable<Sample["open"]>[]): Promise<OpenFeatures> => {
  const begun = await observedBy(...features.map((open) => setOf({ open })));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const bot = { create: never, say: never, read: never, act: never, forget: never };
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
