/**
 * Context windows and prices of models of all providers, from a maintained price list. Loaded only if a setting names such a
 * model, because the list takes about 20 MB of memory.
 */

import { calcPrice, findProvider, type ModelPrice } from "@pydantic/genai-prices";
import type { Prices } from "../../ports/money.ts";
import type { PublishedFacts } from "../../model/provider.ts";

/** Null if the list lacks the model. `address`: identifies the provider behind an OpenAI-compatible server. */
export const listedFacts = (
  provider: string,
  name: string,
  address: string | null,
): PublishedFacts | null => {
  const id = LISTED[provider] ?? findProvider({ providerApiUrl: address ?? "" })?.id;
  if (id === undefined) return null;
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { providerId: id });
  if (found === null) return null;
  const { input_mtok: input, output_mtok: output } = found.model_price;
  if (input === undefined || output === undefined) return null;
  const [tier] = [input, output].flatMap((one) => (typeof one === "number" ? [] : one.tiers));
  const above =
    tier === undefined ? {} : { above: { tokens: tier.start, ...pricesOf(found.model_price, 1) } };
  const window = found.model.context_window ?? null;
  return { window, prices: { ...pricesOf(found.model_price, 0), ...above } };
};

const LISTED: Readonly<Record<string, string | undefined>> = {
  anthropic: "anthropic",
  openai: "openai",
  azure: "azure",
  google: "google",
  vertex: "google",
  bedrock: "aws",
  mistral: "mistral",
};

/**
 * `level`: 0 for the usual price, 1 for the price of a long request. Without a cache price, cached tokens cost as much as other
 * tokens.
 */
const pricesOf = (prices: ModelPrice, level: 0 | 1): Prices => {
  const at = (key: string): number | undefined => {
    const price = prices[key];
    if (typeof price !== "object") return price;
    return level === 0 ? price.base : (price.tiers[0]?.price ?? price.base);
  };
  const input = at("input_mtok") ?? 0;
  return {
    input,
    output: at("output_mtok") ?? 0,
    cacheRead: at("cache_read_mtok") ?? input,
    cacheWrite: at("cache_write_mtok") ?? input,
  };
};
