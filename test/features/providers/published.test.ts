/** What makers and a price list publish of models (hazard M2; D32). */

import { expect, test } from "vitest";
import { limitsOf } from "../../../src/features/providers/limits.ts";
import { listedFacts } from "../../../src/features/providers/listed.ts";
import { costMicroUsd, pricesAt } from "../../../src/model/catalogue.ts";

test.for([
  ["openai", "gpt-5", null, 400_000, 1.25, 10],
  ["azure", "gpt-5", null, 400_000, 1.25, 10],
  ["google", "gemini-2.5-pro", null, null, 1.25, 10],
  ["vertex", "gemini-2.5-flash", null, 1_048_576, 0.3, 2.5],
  ["bedrock", "amazon.nova-pro-v1:0", null, 300_000, 0.8, 3.2],
  ["mistral", "mistral-large-latest", null, null, 2, 6],
  ["openai-compatible", "anthropic/claude-sonnet-4.5", "https://openrouter.ai/api/v1", 1_000_000, 3, 15],
] as const)("the list knows %s/%s", ([provider, name, address, window, input, output]) => {
  expect(listedFacts(provider, name, address)).toMatchObject({ window, prices: { input, output } });
});

test.for([
  ["gpt-5-mini", 272_000, 128_000],
  ["gpt-5.5", undefined, 128_000],
  ["gpt-4o-mini", undefined, 16_384],
  ["gpt-4-turbo", undefined, 4_096],
  ["o4-mini", undefined, 100_000],
  ["gemini-2.5-pro", 1_048_576, 65_535],
  ["gemini-2.0-flash", undefined, 8_192],
  ["eu.amazon.nova-pro-v1:0", undefined, 10_000],
  ["mistral-large-latest", 128_000, undefined],
  ["qwen3-coder", undefined, undefined],
] as const)(
  "%s takes in %s tokens where the list is wrong or silent, and writes %s",
  ([name, window, longest]) => {
    expect(limitsOf(name)).toEqual({
      ...(window === undefined ? {} : { window }),
      ...(longest === undefined ? {} : { longest }),
    });
  },
);

test.for([
  ["openai", "nonesuch", null],
  ["openai-compatible", "gpt-5", "https://models.example.com/v1"],
  ["openai-compatible", "gpt-5", null],
] as const)("the list makes nothing up for %s/%s at %s", ([provider, name, address]) => {
  expect(listedFacts(provider, name, address)).toBeNull();
});

test("a long request costs what the list says of long ones, all of it", () => {
  const prices = listedFacts("google", "gemini-2.5-pro", null)?.prices;
  expect(prices?.above).toMatchObject({ tokens: 200_000, input: 2.5, output: 15 });
  if (prices === undefined) return;
  const cost = (input: number): number =>
    costMicroUsd(prices, { input, output: 1_000, cacheRead: 0, cacheWrite: 0 });
  expect(cost(200_000)).toBe(200_000 * 1.25 + 10_000);
  expect(cost(200_001)).toBe(Math.round(200_001 * 2.5 + 15_000));
  expect(pricesAt(prices, 200_001).input).toBe(2.5);
});
