/** One model of each provider, as settings configure it, at an address of this machine. */

import { otherProviders } from "../../../src/features/providers/feature.ts";
import { configuredModels } from "../../../src/model/models.ts";
import type { ConfiguredModel } from "../../../src/model/provider.ts";

export interface Family {
  readonly family: string;
  readonly model: string;
  readonly env: (url: string) => Readonly<Record<string, string>>;
}

/** Of every provider: no log, post or trace may hold it. */
export const CANARY = "sk-canary-4f1c9b7e2d";

export const FAMILIES: readonly Family[] = [
  {
    family: "anthropic",
    model: "claude-sonnet-5-5",
    env: (url) => ({ ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: url }),
  },
  {
    family: "openai responses",
    model: "openai/gpt-5",
    env: (url) => ({ OPENAI_API_KEY: CANARY, OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    family: "azure",
    model: "azure/gpt-5",
    env: (url) => ({ AZURE_API_KEY: CANARY, AZURE_BASE_URL: `${url}/v1` }),
  },
  {
    family: "openai chat completions",
    model: "openai-compatible/qwen3-coder",
    env: (url) => ({ OPENAI_COMPATIBLE_API_KEY: CANARY, OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
  },
  {
    family: "gemini",
    model: "google/gemini-2.5-pro",
    env: (url) => ({ GOOGLE_GENERATIVE_AI_API_KEY: CANARY, GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta` }),
  },
  {
    family: "vertex",
    model: "vertex/gemini-2.5-pro",
    env: (url) => ({ GOOGLE_VERTEX_API_KEY: CANARY, GOOGLE_VERTEX_BASE_URL: `${url}/v1beta` }),
  },
  {
    family: "bedrock",
    model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    env: (url) => ({ AWS_REGION: "eu-central-1", AWS_BEARER_TOKEN_BEDROCK: CANARY, BEDROCK_BASE_URL: url }),
  },
  {
    family: "mistral",
    model: "mistral/mistral-large-latest",
    env: (url) => ({ MISTRAL_API_KEY: CANARY, MISTRAL_BASE_URL: `${url}/v1` }),
  },
];

export const configure = async (
  { model, env }: Family,
  url: string,
  over: Partial<ConfiguredModel> = {},
): Promise<ConfiguredModel> => {
  const given = env(url);
  const configured = await configuredModels({
    scripted: null,
    wanted: model,
    others: otherProviders(undefined),
    plainHosts: [],
    read: (name) => given[name] ?? null,
  });
  if (configured.kind !== "models") throw new Error(JSON.stringify(configured));
  return { ...configured.models[0], ...over };
};
