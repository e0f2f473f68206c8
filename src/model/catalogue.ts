/**
 * What is known of models: windows, output limits and list prices (hazard M2). The wire does not say prices
 * and the SDK's types hold no windows, so they are written down here.
 */

import type { Usage } from "../machine/words.ts";
import type { Prices } from "../ports/money.ts";

interface ModelFacts {
  /** Context window in tokens. */
  readonly window: number;
  /** Largest `max_tokens` that the model takes. */
  readonly maxOutput: number;
  readonly price: Price;
  /** False for a name that no family claims: the host says so at start (D32). */
  readonly known: boolean;
}

/** US dollars per million tokens, which are also millionths of a dollar per token. */
interface Price {
  readonly input: number;
  readonly output: number;
}

/** Of the price of input: what a token read from the cache costs, and one written to it for five minutes. */
const CACHE_READ = 0.1;
const CACHE_WRITE = 1.25;

const MILLION = { window: 1_000_000, maxOutput: 128_000 } as const;
const SMALLEST = { window: 200_000, maxOutput: 64_000 } as const;

type Family = "fable" | "mythos" | "opus" | "sonnet" | "haiku";

/** By family and generation: `next` is 5 and later. Mythos has no public price and counts as the dearest. */
const PRICES: Readonly<Record<Family, { readonly next: Price; readonly fourth: Price }>> = {
  fable: { next: { input: 8, output: 40 }, fourth: { input: 8, output: 40 } },
  mythos: { next: { input: 8, output: 40 }, fourth: { input: 8, output: 40 } },
  opus: { next: { input: 4, output: 20 }, fourth: { input: 5, output: 25 } },
  sonnet: { next: { input: 2, output: 10 }, fourth: { input: 3, output: 15 } },
  haiku: { next: { input: 0.1, output: 0.5 }, fourth: { input: 1, output: 5 } },
};
const DEAREST: Price = { input: 8, output: 40 };
const FAMILIES: readonly Family[] = ["fable", "mythos", "opus", "sonnet", "haiku"];
const NAME = /^claude-([a-z]+)-(\d{1,2}|preview)(?:-(?:\d{1,2}|latest))?(?:-\d{8})?$/;

/** An unknown name gets the smallest known window and the dearest known price (D32). */
export const modelFacts = (model: string): ModelFacts => {
  const [, name, generation] = NAME.exec(model) ?? [];
  const family = FAMILIES.find((one) => one === name);
  if (family === undefined) return { ...SMALLEST, price: DEAREST, known: false };
  return Number(generation) >= 5
    ? { ...MILLION, price: PRICES[family].next, known: true }
    : { ...SMALLEST, price: PRICES[family].fourth, known: true };
};

/** Millionths of a dollar per token. */
export const listPrices = (model: string): Prices => {
  const { input, output } = modelFacts(model).price;
  return { input, output, cacheRead: input * CACHE_READ, cacheWrite: input * CACHE_WRITE };
};

/** List price of one response, rounded to a millionth of a dollar. */
export const costMicroUsd = (model: string, usage: Omit<Usage, "costMicroUsd">): number => {
  const price = listPrices(model);
  const input =
    usage.input * price.input + usage.cacheRead * price.cacheRead + usage.cacheWrite * price.cacheWrite;
  return Math.round(input + usage.output * price.output);
};
