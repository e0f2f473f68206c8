/** The providers that can be named, and the variables that each takes: those that its own SDK documents. */

export type ProviderName = (typeof PROVIDER_NAMES)[number];

export const PROVIDER_NAMES = [
  "anthropic",
  "openai",
  "azure",
  "google",
  "vertex",
  "bedrock",
  "mistral",
  "openai-compatible",
] as const;

interface Provider {
  /** Of the key; null where the provider has none of its own. */
  readonly key: ProviderVariable | null;
  /** Of the address. */
  readonly address: ProviderVariable | null;
  /** What else its SDK is told. */
  readonly more: readonly ProviderVariable[];
  /** One of these sets must be given whole. */
  readonly needs: readonly (readonly ProviderVariable[])[];
  /** What else holds credentials, where there is no key. */
  readonly instead?: string;
  /** It caches what we mark. All others cache by themselves or not at all. */
  readonly caching: boolean;
}

export type ProviderVariable = (typeof VARIABLES)[number];

/** Of all providers; `npm run config` and the reference say what each is. */
export const VARIABLES = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "AZURE_API_KEY",
  "AZURE_RESOURCE_NAME",
  "AZURE_BASE_URL",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GOOGLE_GENERATIVE_AI_BASE_URL",
  "GOOGLE_VERTEX_PROJECT",
  "GOOGLE_VERTEX_LOCATION",
  "GOOGLE_VERTEX_API_KEY",
  "GOOGLE_VERTEX_BASE_URL",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "AWS_REGION",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "BEDROCK_BASE_URL",
  "MISTRAL_API_KEY",
  "MISTRAL_BASE_URL",
  "OPENAI_COMPATIBLE_API_KEY",
  "OPENAI_COMPATIBLE_BASE_URL",
] as const;

/** Those whose values must show up nowhere. */
export const SECRET_VARIABLES: readonly ProviderVariable[] = VARIABLES.filter((name) =>
  /_API_KEY$|_TOKEN|_SECRET_|_KEY_ID$/.test(name),
);

/** One that needs its key, and nothing else. */
const usual = (
  prefix: "ANTHROPIC" | "OPENAI" | "GOOGLE_GENERATIVE_AI" | "MISTRAL" | "OPENAI_COMPATIBLE",
): Provider => ({
  key: `${prefix}_API_KEY`,
  address: `${prefix}_BASE_URL`,
  more: [],
  needs: [[`${prefix}_API_KEY`]],
  caching: false,
});

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  anthropic: { ...usual("ANTHROPIC"), caching: true },
  openai: usual("OPENAI"),
  azure: {
    key: "AZURE_API_KEY",
    address: "AZURE_BASE_URL",
    more: ["AZURE_RESOURCE_NAME"],
    needs: [
      ["AZURE_API_KEY", "AZURE_RESOURCE_NAME"],
      ["AZURE_API_KEY", "AZURE_BASE_URL"],
    ],
    caching: false,
  },
  google: usual("GOOGLE_GENERATIVE_AI"),
  vertex: {
    key: "GOOGLE_VERTEX_API_KEY",
    address: "GOOGLE_VERTEX_BASE_URL",
    more: ["GOOGLE_VERTEX_PROJECT", "GOOGLE_VERTEX_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"],
    needs: [["GOOGLE_VERTEX_PROJECT", "GOOGLE_VERTEX_LOCATION"], ["GOOGLE_VERTEX_API_KEY"]],
    instead: "GOOGLE_APPLICATION_CREDENTIALS",
    caching: false,
  },
  bedrock: {
    key: "AWS_BEARER_TOKEN_BEDROCK",
    address: "BEDROCK_BASE_URL",
    more: ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
    needs: [
      ["AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"],
      ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    ],
    instead: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    caching: true,
  },
  mistral: usual("MISTRAL"),
  "openai-compatible": { ...usual("OPENAI_COMPATIBLE"), needs: [["OPENAI_COMPATIBLE_BASE_URL"]] },
};
