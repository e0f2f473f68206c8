/** A work mode that wants a model gets it, or keeps the host from starting. */

import { expect, it } from "vitest";
import { modeProblems } from "../../src/app/choose-model.ts";
import { configuredModels } from "../../src/model/models.ts";
import type { Modes } from "../../src/ports/tools.ts";

const modesWith = (model: string): Modes => ({
  all: [{ key: "triage", name: "Triage", whenToUse: "A bug.", prompt: "Judge it.", model }],
  initial: "triage",
});

const SCRIPTED = { name: "demo", notice: "", create: () => Promise.reject(new Error("not asked here")) };

it("names the mode and what there is, and says nothing of a model that the host has", async () => {
  const read = await configuredModels({
    wanted: "anthropic/claude-opus-5-5",
    scripted: null,
    plainHosts: [],
    read: (name) => (name === "ANTHROPIC_API_KEY" ? "k" : null),
  });
  if (read.kind !== "models") throw new Error(JSON.stringify(read));
  expect(modeProblems(modesWith("claude-opus-5-5"), read)).toEqual([]);
  expect(modeProblems(modesWith("gpt-6"), read)).toEqual([
    "the work mode triage needs the model gpt-6, which is not one of claude-opus-5-5",
  ]);
  expect(modeProblems(modesWith("gpt-6"), { kind: "scripted", model: SCRIPTED })).toEqual([]);
});
