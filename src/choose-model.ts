/** Which model answers: the configured one where there is a key, else the scripted demo, honest about itself. */

import type { Blobs, Clock, Log, Model } from "./runtime/ports.ts";
import type { Config } from "./config.ts";

export interface ChosenModel {
  readonly name: string;
  readonly model: Model;
  /** Said at start-up and in every thread where the model is not what a person would expect. */
  readonly notice: string | null;
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
    const { createDemoModel } = await import("./model/demo.ts");
    return { name: "demo", model: createDemoModel({ clock: deps.clock }), notice: DEMO_NOTICE };
  }
  const { createAnthropicModel } = await import("./model/anthropic.ts");
  const name = wanted ?? DEFAULT_MODEL;
  const { modelFacts } = await import("./model/catalogue.ts");
  const notice = modelFacts(name).known
    ? null
    : `The model ${name} is not in the catalogue: its window and price are taken as the smallest and the dearest known.`;
  const model = createAnthropicModel({
    ...deps,
    apiKey,
    baseURL: config.ANTHROPIC_BASE_URL ?? null,
    maxTokens: config.PARLEY_MAX_TOKENS,
  });
  return { name, model, notice };
};
