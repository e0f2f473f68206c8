/** Windows and prices (hazard M2; BED-022; D32). */

import { expect, test } from "vitest";
import { anthropicFacts, costMicroUsd, longestOfClaude, pricesAt } from "../../src/model/catalogue.ts";
import { anthropic, routed } from "./harness.ts";

test.for([
  ["claude-fable-5-2", 1_000_000, 128_000, 8, 40],
  ["claude-opus-5-5", 1_000_000, 128_000, 4, 20],
  ["claude-opus-5", 1_000_000, 128_000, 4, 20],
  ["claude-sonnet-5-5", 1_000_000, 128_000, 2, 10],
  ["claude-haiku-5-5", 1_000_000, 128_000, 0.1, 0.5],
  ["claude-opus-4-8", 1_000_000, 64_000, 5, 25],
  ["claude-opus-4-5", 200_000, 64_000, 5, 25],
  ["claude-opus-4-1-20250805", 200_000, 32_000, 15, 75],
  ["claude-opus-4-20250514", 200_000, 32_000, 15, 75],
  ["claude-sonnet-4-5-20250929", 200_000, 64_000, 3, 15],
  ["claude-haiku-4-5-20251001", 200_000, 64_000, 1, 5],
] as const)("%s: window %d, output %d, $%d and $%d", ([model, window, maxOutput, input, output]) => {
  const prices = { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25 };
  expect(anthropicFacts(model)).toEqual({ window, maxOutput, prices });
});

test.for([
  "",
  "gpt-9",
  "claude",
  "claude-verse-9",
  "CLAUDE-OPUS-5",
  "claude-opus-5-5; rm",
  "claude-mythos-5",
])("nothing is made up for %j", (model) => {
  expect(anthropicFacts(model)).toBeNull();
});

test.for([
  ["eu.anthropic.claude-sonnet-4-5-20250929-v1:0", 64_000],
  ["anthropic.claude-opus-4-20250514-v1:0", 32_000],
  ["claude-opus-4-1", 32_000],
  ["claude-opus-4-6", 64_000],
  ["claude-sonnet-5-5", 128_000],
  ["qwen3-coder", undefined],
] as const)("%s writes %s, whoever serves it", ([name, longest]) => {
  expect(longestOfClaude(name)).toBe(longest);
});

test("a long request costs what is said of long ones, all of it", () => {
  const long = { tokens: 200_000, input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 };
  const prices = { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25, above: long };
  const cost = (input: number): number =>
    costMicroUsd(prices, { input, output: 1_000, cacheRead: 0, cacheWrite: 0 });
  expect(cost(200_000)).toBe(200_000 * 1.25 + 10_000);
  expect(cost(200_001)).toBe(Math.round(200_001 * 2.5 + 15_000));
  expect(pricesAt(prices, 200_001).input).toBe(2.5);
});

test("a read from the cache costs a tenth and a write a quarter more", () => {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { prices } = anthropic({ name: "claude-opus-5-5" }).facts;
  const cost = (over: Partial<typeof nothing>): number => costMicroUsd(prices, { ...nothing, ...over });
  expect(cost({ input: 1_000_000 })).toBe(4_000_000);
  expect(cost({ output: 1_000_000 })).toBe(20_000_000);
  expect(cost({ cacheRead: 1_000_000 })).toBe(400_000);
  expect(cost({ cacheWrite: 1_000_000 })).toBe(5_000_000);
});

test("the port tells the window, and with a key for Anthropic that of every model of theirs", () => {
  const { model } = routed(anthropic());
  expect(model.window("claude-haiku-4-5")).toBe(200_000);
  expect(model.window("claude-opus-5-5")).toBe(1_000_000);
});

test("a name that this host does not know is answered by its first model", () => {
  const { model } = routed(anthropic({ name: "claude-haiku-4-5" }));
  expect(model.window("gpt-of-old")).toBe(200_000);
});
