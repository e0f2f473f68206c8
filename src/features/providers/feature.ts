/**
 * Models of providers other than Anthropic, and the operator's list of models. Without such models or a list, no provider code
 * is loaded.
 */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import type { ModelProvider, OtherProviders } from "../../model/provider.ts";
import { wordSetting } from "../../settings/kinds.ts";
import { secretAddress, secret } from "../../settings/secrets.ts";
import { googleCredentials } from "./google-credentials.ts";
import { limitsOf } from "./limits.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from "./providers.ts";

const providerOf = (name: ProviderName): ModelProvider => ({
  ...PROVIDERS[name],
  name,
  wire: async (model, deps) => {
    const [{ openModel }, { providerWire }] = await Promise.all([
      import("./opener.ts"),
      import("./provider-wire.ts"),
    ]);
    return providerWire(model, await openModel({ ...model, provider: name }), deps);
  },
});

/** `list`: path of the operator's list of models. */
export const otherProviders = (list: string | undefined): OtherProviders => ({
  providers: PROVIDER_NAMES.map((name) => providerOf(name)),
  list: {
    setting: "PARLEY_MODELS",
    read: list === undefined ? null : async () => (await import("./models-file.ts")).readModelsFile(list),
  },
  published: async (...model) => (await import("./listed.ts")).listedFacts(...model),
  limits: limitsOf,
});

export const providers = defineFeature({
  name: "providers",
  settings: z.object({
    PARLEY_MODELS: z.string().optional(),
    OPENAI_API_KEY: secret.optional(),
    OPENAI_BASE_URL: secretAddress.optional(),
    AZURE_API_KEY: secret.optional(),
    AZURE_RESOURCE_NAME: z
      .string()
      .regex(/^[a-zA-Z0-9-]{1,64}$/, "must be the resource's name, as in https://NAME.openai.azure.com")
      .optional(),
    AZURE_BASE_URL: secretAddress.optional(),
    GOOGLE_GENERATIVE_AI_API_KEY: secret.optional(),
    GOOGLE_GENERATIVE_AI_BASE_URL: secretAddress.optional(),
    GOOGLE_VERTEX_PROJECT: wordSetting.optional(),
    GOOGLE_VERTEX_LOCATION: wordSetting.optional(),
    GOOGLE_VERTEX_API_KEY: secret.optional(),
    GOOGLE_VERTEX_BASE_URL: secretAddress.optional(),
    GOOGLE_APPLICATION_CREDENTIALS: googleCredentials.optional(),
    AWS_BEARER_TOKEN_BEDROCK: secret.optional(),
    BEDROCK_BASE_URL: secretAddress.optional(),
    MISTRAL_API_KEY: secret.optional(),
    MISTRAL_BASE_URL: secretAddress.optional(),
    OPENAI_COMPATIBLE_API_KEY: secret.optional(),
    OPENAI_COMPATIBLE_BASE_URL: secretAddress.optional(),
  }),
  providers: ({ PARLEY_MODELS: list }) => otherProviders(list),
});
