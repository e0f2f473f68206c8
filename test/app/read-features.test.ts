/** What features read before anything is started: every problem at once, or what they provide together. */

import { expect, it } from "vitest";
import { z } from "zod";
import { readFeatures } from "../../src/app/features.ts";
import { readingWith } from "../../src/app/outward.ts";
import { placeProblems } from "../../src/app/prepare.ts";
import { defineFeature, type ReadResult, type SetFeature } from "../../src/feature.ts";
import { NO_FORGE } from "../../src/ports/forge-access.ts";
import { scratch } from "../scratch.ts";
import { nothingChanged } from "../tools/nothing-changed.ts";

const reading = readingWith();
const kit = { redact: (text: string) => text, ...nothingChanged };

const featureOf = (read?: () => ReadResult): SetFeature => {
  const defined = defineFeature({
    name: "sample",
    settings: z.object({}),
    ...(read === undefined ? {} : { read: async () => read() }),
  });
  const set = defined.set({});
  if (set.kind === "invalid") throw new Error("it has no settings");
  return set.feature;
};

const wrong = (...problems: readonly string[]) => featureOf(() => ({ kind: "invalid", problems }));
const right = featureOf(() => ({ kind: "read", files: { secrets: ["of a file"] } }));

const unsound = (features: readonly SetFeature[]) => ({
  kind: "invalid" as const,
  problems: ["a setting"],
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
  const providing = featureOf(() => ({ kind: "read", files: { secrets: ["a token"], forge } }));
  const read = await readFeatures([right, providing], reading);
  expect(read).toMatchObject({ kind: "read", secrets: ["of a file", "a token"] });
  expect(read.kind === "read" && read.forge).toBe(forge);
});

it("41.5 all that is wrong in files is told at once, and nothing of what is right is used", async () => {
  const read = await readFeatures([wrong("one"), right, wrong("two", "three")], reading);
  expect(read).toEqual({ kind: "invalid", problems: ["one", "two", "three"] });
});

it("41.5 where settings are wrong, files of the features whose settings are sound are looked at as well", async () => {
  expect(await placeProblems(unsound([wrong("a file")]))).toEqual(["a file"]);
  expect(await placeProblems(unsound([right]))).toEqual([]);
});
