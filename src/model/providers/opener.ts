/** Each provider's SDK over one configured model, loaded only where a model names it. */

import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ConfiguredModel } from "../models.ts";
import type { ProviderName } from "./providers.ts";

export interface OpenedModel {
  readonly sdk: LanguageModelV4;
  /** What every request is told beside its messages. */
  readonly options: Pick<LanguageModelV4CallOptions, "providerOptions" | "reasoning">;
  /** Marks the end of what the provider should cache; null where it caches by itself. */
  readonly cachePoint: SharedV4ProviderOptions | null;
  /** A person's message may follow the results of tools. */
  readonly wordsAfterResults: boolean;
}

type SdkProvider = Exclude<ProviderName, "anthropic">;

/** Throws where the provider's package is missing: it is not installed with Parley (docs/models.md). */
export const openModel = async (model: ConfiguredModel & { provider: SdkProvider }): Promise<OpenedModel> => {
  const { name, thinking } = model;
  const apiKey = model.key ?? "none";
  const address = model.address === null ? {} : { baseURL: model.address.replace(/\/+$/, "") };
  const plain = { cachePoint: null, wordsAfterResults: true } as const;
  switch (model.provider) {
    case "openai":
    case "azure": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const resource = `https://${model.more.AZURE_RESOURCE_NAME}.openai.azure.com/openai/v1`;
      const usual = model.provider === "azure" ? { baseURL: resource, headers: { "api-key": apiKey } } : {};
      const sdk = createOpenAI({ apiKey, ...usual, ...address }).responses(name);
      // Nothing is kept there: what it needs back comes back with every request.
      const openai = { store: false, ...(thinking === null ? {} : { reasoningSummary: "auto" }) };
      return { ...plain, sdk, options: { providerOptions: { openai }, ...effort(thinking) } };
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      const sdk = createGoogle({ apiKey, ...address })(name);
      return { ...plain, sdk, options: { providerOptions: { google: thoughts(thinking) } } };
    }
    case "vertex": {
      const { createGoogleVertex } = await import("@ai-sdk/google-vertex");
      const {
        GOOGLE_VERTEX_PROJECT: project,
        GOOGLE_VERTEX_LOCATION: location,
        GOOGLE_APPLICATION_CREDENTIALS: keyFilename,
      } = model.more;
      const sdk = createGoogleVertex({
        ...(model.key === null ? {} : { apiKey: model.key }),
        ...(project === undefined ? {} : { project }),
        ...(location === undefined ? {} : { location }),
        ...(keyFilename === undefined ? {} : { googleAuthOptions: { keyFilename } }),
        ...address,
      })(name);
      const google = thoughts(thinking);
      return { ...plain, sdk, options: { providerOptions: { google, vertex: google } } };
    }
    case "bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const { AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId } = model.more;
      const { AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = model.more;
      const sdk = createAmazonBedrock({
        ...(region === undefined ? {} : { region }),
        ...(model.key === null ? {} : { apiKey: model.key }),
        ...(accessKeyId === undefined ? {} : { accessKeyId }),
        ...(secretAccessKey === undefined ? {} : { secretAccessKey }),
        ...(sessionToken === undefined ? {} : { sessionToken }),
        ...address,
      })(name);
      const isMarked = model.caching && /claude|nova/.test(name);
      const reasoningConfig = { type: "enabled", budgetTokens: thinking ?? 0 };
      return {
        sdk,
        options: thinking === null ? {} : { providerOptions: { bedrock: { reasoningConfig } } },
        cachePoint: isMarked ? { bedrock: { cachePoint: { type: "default" } } } : null,
        wordsAfterResults: true,
      };
    }
    case "mistral": {
      const { createMistral } = await import("@ai-sdk/mistral");
      const sdk = createMistral({ apiKey, ...address })(name);
      return { sdk, options: effort(thinking), cachePoint: null, wordsAfterResults: false };
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const sdk = createOpenAICompatible({
        name: "compatible",
        baseURL: address.baseURL ?? "",
        ...(model.key === null ? {} : { apiKey: model.key }),
        includeUsage: true,
      })(name);
      return { ...plain, sdk, options: effort(thinking) };
    }
  }
};

/** Where a provider has words for it instead of tokens. */
const effort = (thinking: number | null): Pick<LanguageModelV4CallOptions, "reasoning"> => {
  if (thinking === null) return {};
  return { reasoning: thinking < 4_000 ? "low" : thinking < 16_000 ? "medium" : "high" };
};

const thoughts = (budget: number | null) => ({
  thinkingConfig: budget === null ? {} : { thinkingBudget: budget, includeThoughts: true },
});
