/**
 * Published limits that the price list lacks or has wrong: the context window and the longest answer of a model. Several
 * providers refuse a request that exceeds these limits.
 */

import type { PublishedLimits } from "../../model/provider.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

/** The first matching row decides for each figure. `name`: the provider's name of the model. */
export const limitsOf = (name: string): PublishedLimits => {
  const rows = ROWS.filter(([like]) => like.test(name)).map(([, limits]) => limits);
  return omitUndefined({
    window: rows.find(({ window }) => window !== undefined)?.window,
    longest: rows.find(({ longest }) => longest !== undefined)?.longest,
  });
};

const ROWS: readonly (readonly [RegExp, PublishedLimits])[] = [
  // 128,000 of the 400,000 tokens are reserved for the answer, so a longer input is refused.
  [/^(openai\/)?gpt-5(?!\.[4-9])/, { window: 272_000, longest: 128_000 }],
  [/^(openai\/)?gpt-5/, { longest: 128_000 }],
  [/^(openai\/)?gpt-4\.1/, { longest: 32_768 }],
  [/^(openai\/)?(gpt-4o|chatgpt-4o)/, { longest: 16_384 }],
  [/^(openai\/)?gpt-(4|3\.5)-?(turbo|\d{4}|$)/, { longest: 4_096 }],
  [/^(openai\/)?o\d/, { longest: 100_000 }],
  [/^openai\.gpt-5/, { window: 1_000_000 }],
  [/^(google\/)?gemini-(2\.5|3)/, { window: 1_048_576, longest: 65_535 }],
  [/^(google\/)?gemini-(1\.5|2\.0)/, { longest: 8_192 }],
  [/(^|\.)amazon\.nova-(micro|lite|pro)/, { longest: 10_000 }],
  [/(^|\.)amazon\.nova-premier/, { longest: 32_000 }],
  [/(^|\.)meta\.llama/, { longest: 8_192 }],
  [/^(open-)?mi[sx]tral-(large|medium|small|nemo)|^(magis|devs|codes)tral/, { window: 128_000 }],
  [/^deepseek-chat/, { longest: 8_192 }],
];
