/** Windows and prices (hazard M2; BED-022; D32). */

import { expect, test } from "vitest";
import { createAnthropicModel } from "../../src/model/anthropic.ts";
import { costMicroUsd, modelFacts } from "../../src/model/catalogue.ts";
import { createManualClock } from "./harness.ts";

test.for([
  ["claude-fable-5-2", 1_000_000, 128_000, 8, 40],
  ["claude-mythos-5-2", 1_000_000, 128_000, 8, 40],
  ["claude-opus-5-5", 1_000_000, 128_000, 4, 20],
  ["claude-opus-5", 1_000_000, 128_000, 4, 20],
  ["claude-sonnet-5-5", 1_000_000, 128_000, 2, 10],
  ["claude-haiku-5-5", 1_000_000, 128_000, 0.1, 0.5],
  ["claude-opus-4-8", 200_000, 64_000, 5, 25],
  ["claude-sonnet-4-5-20250929", 200_000, 64_000, 3, 15],
  ["claude-haiku-4-5-20251001", 200_000, 64_000, 1, 5],
  ["claude-mythos-preview", 200_000, 64_000, 8, 40],
] as const)("%s: window %d, output %d, $%d and $%d", ([model, window, maxOutput, input, output]) => {
  expect(modelFacts(model)).toEqual({ window, maxOutput, price: { input, output }, known: true });
});

test.for(["", "gpt-9", "claude", "claude-verse-9", "CLAUDE-OPUS-5", "claude-opus-5-5; rm"])(
  "%j is unknown: the smallest window and the dearest price",
  (model) => {
    expect(modelFacts(model)).toEqual({
      window: 200_000,
      maxOutput: 64_000,
      price: { input: 8, output: 40 },
      known: false,
    });
  },
);

test("a read from the cache costs a tenth and a write a quarter more", () => {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const cost = (over: Partial<typeof nothing>): number =>
    costMicroUsd("claude-opus-5-5", { ...nothing, ...over });
  expect(cost({ input: 1_000_000 })).toBe(4_000_000);
  expect(cost({ output: 1_000_000 })).toBe(20_000_000);
  expect(cost({ cacheRead: 1_000_000 })).toBe(400_000);
  expect(cost({ cacheWrite: 1_000_000 })).toBe(5_000_000);
});

test("the port tells the window", () => {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const blobs = { get: async () => null };
  const model = createAnthropicModel({
    apiKey: "k",
    baseURL: null,
    blobs,
    log,
    clock: createManualClock(),
    maxTokens: 1,
  });
  expect(model.window("claude-haiku-4-5")).toBe(200_000);
  expect(model.window("claude-opus-5-5")).toBe(1_000_000);
});
