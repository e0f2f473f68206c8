/** Anthropic's newer models are listed here (hazard M2); a feature provides facts about others. */

import type { Usage } from "../machine/vocabulary.ts";
import type { Prices } from "../ports/money.ts";

export interface ModelFacts {
  readonly window: number;
  /** In tokens; null if unknown: the provider then enforces its limit. */
  readonly maxOutput: number | null;
  readonly prices: Prices;
}

export const FREE_OF_CHARGE: Prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const anthropicFacts = (model: string): ModelFacts | null => {
  const [, name, generation, minor] = NAME.exec(model) ?? [];
  const prices = name === undefined ? undefined : PRICES.get(name);
  if (prices === undefined) return null;
  const { next, fourth } = prices;
  const maxOutput = longestOfClaude(model) ?? null;
  if (Number(generation) >= 5) return { window: MILLION, maxOutput, prices: cached(next) };
  if (fourth === null || Number(generation) !== 4) return null;
  const window = name !== "haiku" && Number(minor) >= 6 ? MILLION : SMALLER;
  const isDear = name === "opus" && !(Number(minor) >= 5);
  return { window, maxOutput, prices: cached(isDear ? DEAR : fourth) };
};

/** Highest answer limit that an Anthropic model accepts at any provider; a higher limit is refused. */
export const longestOfClaude = (name: string): number | undefined =>
  LONGEST.find(([like]) => like.test(name))?.[1];

/** The first match counts. */
const LONGEST: readonly (readonly [RegExp, number])[] = [
  [/claude-3-(opus|haiku|sonnet)/, 4_096],
  [/claude-3-5/, 8_192],
  [/claude-opus-4(-[01](?!\d)|-20|$)/, 32_000],
  [/claude-(3-7|[a-z]+-4)/, 64_000],
  [/claude-[a-z]+-\d/, 128_000],
];

/** `input` includes cached tokens. */
export const pricesAt = (prices: Prices, input: number): Prices =>
  prices.above !== undefined && input > prices.above.tokens ? prices.above : prices;

export const costMicroUsd = (listed: Prices, usage: Omit<Usage, "costMicroUsd">): number => {
  const price = pricesAt(listed, usage.input + usage.cacheRead + usage.cacheWrite);
  const input =
    usage.input * price.input + usage.cacheRead * price.cacheRead + usage.cacheWrite * price.cacheWrite;
  return Math.round(input + usage.output * price.output);
};

/** US dollars per million tokens, which equals millionths of a dollar per token. */
interface Price {
  readonly input: number;
  readonly output: number;
}

/** Prices of a token read from the cache and of a token written to it for five minutes, relative to an input token. */
const CACHE_READ = 0.1;
const CACHE_WRITE = 1.25;

const cached = ({ input, output }: Price): Prices => ({
  input,
  output,
  cacheRead: input * CACHE_READ,
  cacheWrite: input * CACHE_WRITE,
});

const MILLION = 1_000_000;
const SMALLER = 200_000;

/** By family and generation: `next` is 5 and later. */
const PRICES: ReadonlyMap<string, { readonly next: Price; readonly fourth: Price | null }> = new Map([
  ["fable", { next: { input: 8, output: 40 }, fourth: null }],
  ["opus", { next: { input: 4, output: 20 }, fourth: { input: 5, output: 25 } }],
  ["sonnet", { next: { input: 2, output: 10 }, fourth: { input: 3, output: 15 } }],
  ["haiku", { next: { input: 0.1, output: 0.5 }, fourth: { input: 1, output: 5 } }],
]);
/** Opus 4 and 4.1. */
const DEAR: Price = { input: 15, output: 75 };
const NAME = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}|latest))?(?:-\d{8})?$/;
