/** Which model answers: the configured one where there is a key, else the scripted demo, honest about itself. */

import type { Clock, Log } from "../ports/host.ts";
import type { Model } from "../ports/model.ts";
import type { Prices } from "../ports/money.ts";
import type { Blobs } from "../ports/store.ts";
import type { Config } from "./settings/config.ts";

export interface ChosenModel {
  readonly name: string;
  readonly model: Model;
  /** Said at start-up and in every thread where the model is not what a person would expect. */
  readonly notice: string | null;
  readonly prices: (model: string) => Prices;
  /** Longest answer of a model, in tokens. */
  readonly longest: (model: string) => number;
}

const DEFAULT_MODEL = "claude-sonnet-5-5";

const DEMO_NOTICE =
  "This is the demo model: it follows a script and is not an AI. Set ANTHROPIC_API_KEY for a real one.";

export const chooseModel = async (
  config: Config,
  deps: { readonly blobs: Pick<Blobs, "get">; readonly log: Log; readonly clock: Clock },
): Promise<ChosenModel> => {
  const { ANTHROPIC_API_KEY: apiKey, PARLEY_MODEL: wanted } = config;
  if (apiKey === undefined || wanted === "demo") {
    const { createDemoModel } = await import("../model/demo.ts");
    const demo = createDemoModel({ clock: deps.clock });
    return {
      name: "demo",
      model: working(config, demo),
      notice: DEMO_NOTICE,
      prices: () => FREE,
      longest: () => config.PARLEY_MAX_TOKENS,
    };
  }
  const { createAnthropicModel } = await import("../model/anthropic.ts");
  const name = wanted ?? DEFAULT_MODEL;
  const { listPrices, modelFacts } = await import("../model/catalogue.ts");
  const notice = modelFacts(name).known
    ? null
    : `The model ${name} is not in the catalogue: its window and price are taken as the smallest and the dearest known.`;
  const model = createAnthropicModel({
    ...deps,
    apiKey,
    baseURL: config.ANTHROPIC_BASE_URL ?? null,
    maxTokens: config.PARLEY_MAX_TOKENS,
  });
  return {
    name,
    model: working(config, model),
    notice,
    prices: listPrices,
    longest: (one) => Math.min(config.PARLEY_MAX_TOKENS, modelFacts(one).maxOutput),
  };
};

const FREE: Prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A window that is larger than people want to pay for with every answer is not used up. */
const working = ({ PARLEY_CONTEXT_WINDOW: most }: Config, model: Model): Model => ({
  ...model,
  window: (name) => Math.min(model.window(name), most),
});
