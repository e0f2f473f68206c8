/** What features read before anything is started: every problem at once, or what they provide together. */

import { expect, it } from "vitest";
import { z } from "zod";
import { readFeatures } from "../../src/app/features/open.ts";
import { readingWith } from "../../src/app/outward.ts";
import { placeProblems } from "../../src/app/prepare.ts";
import { defineFeature, type SetFeature } from "../../src/feature.ts";
import { NO_FORGE } from "../../src/ports/forge-access.ts";
import { coreOf } from "../adapters/open-features.ts";
import { scratch } from "../scratch.ts";
import { openMemory } from "../store/in-memory.ts";
import { nothingChanged } from "../tools/nothing-changed.ts";

const reading = readingWith({ otherKeys: { ONE_KEY: "value of the key" } });
const kit = { redact: (text: string) => text, ...nothingChanged };

const SETTINGS = z.object({});

type Sample = Parameters<typeof defineFeature<typeof SETTINGS, null>>[0];

const featureOf = (define: Pick<Sample, "read" | "open"> = {}): SetFeature => {
  const defined = defineFeature({ name: "sample", settings: SETTINGS, ...define });
  const set = defined.set({});
  if (set.kind === "invalid") throw new Error("it has no settings");
  return set.feature;
};

const wrong = (...problems: readonly string[]) =>
  featureOf({ read: async () => ({ kind: "invalid", problems }) });
const right = featureOf({
  read: async (_, { keyOf }) => ({ kind: "read", secrets: ["of a file", keyOf("ONE_KEY") ?? ""] }),
});

const unsound = (features: readonly SetFeature[]) => ({
  kind: "invalid" as const,
  problems: ["a setting"],
  otherKeys: {},
  places: { PARLEY_DATA: scratch("unsound") },
  features,
});

it("41.5 a host whose features read nothing has no forge, no tools of theirs and no secrets", async () => {
  const read = await readFeatures([featureOf()], reading);
  expect(read).toMatchObject({ kind: "read", secrets: [], forge: NO_FORGE });
  expect(read.kind === "read" && read.tools(kit)).toEqual([]);
});

it("41.5 the forge is the one of the feature that provides it, and all secrets are masked", async () => {
  const forge = { ...NO_FORGE };
  const providing = featureOf({ read: async () => ({ kind: "read", secrets: ["a token"], forge }) });
  const read = await readFeatures([right, providing], reading);
  expect(read).toMatchObject({ kind: "read", secrets: ["of a file", "value of the key", "a token"] });
  expect(read.kind === "read" && read.forge).toBe(forge);
});

it("41.5 all that is wrong in files is told at once, and nothing of what is right is used", async () => {
  const read = await readFeatures([wrong("one"), right, wrong("two", "three")], reading);
  expect(read).toEqual({ kind: "invalid", problems: ["one", "two", "three"], forge: NO_FORGE });
});

it("41.5 doctor has the forge although the file of another feature is wrong", async () => {
  const forge = { ...NO_FORGE };
  const providing = featureOf({ read: async () => ({ kind: "read", forge }) });
  expect((await readFeatures([providing, wrong("one")], reading)).forge).toBe(forge);
});

const never = () => Promise.reject(new Error("nobody asks it"));

it("41.5 what a feature makes of its files is what it opens with", async () => {
  const opened: string[] = [];
  const feature = featureOf({
    read: async () => ({ kind: "read", open: async () => (opened.push("with its files"), {}) }),
    open: async () => (opened.push("without"), {}),
  });
  const read = await readFeatures([feature], reading);
  if (read.kind === "invalid") throw new Error("invalid");
  const observing = await read.observe({
    clock: { now: () => 1, after: () => () => undefined },
    version: "0",
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const bot = { create: never, say: never, read: never, act: never, forget: never };
  const clock = { now: () => 1, after: () => () => undefined };
  await observing.open(coreOf({ ...openMemory(), clock, log, bot, surfaces: () => [] }));
  expect(opened).toEqual(["with its files"]);
});

it("41.5 where settings are wrong, files of the features whose settings are sound are looked at as well", async () => {
  expect(await placeProblems(unsound([wrong("a file")]))).toEqual(["a file"]);
  expect(await placeProblems(unsound([right]))).toEqual([]);
});
