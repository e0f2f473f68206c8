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

interface Provider<Variable extends string> {
  /** Of the key. */
  readonly key: Variable;
  /** Of the address. */
  readonly address: Variable;
  /** What else its SDK is told. */
  readonly more: readonly Variable[];
  /** One of these sets must be given whole. */
  readonly needs: readonly (readonly Variable[])[];
  /** What else holds credentials, where there is no key. */
  readonly instead?: string;
  /** It caches what we mark. All others cache by themselves or not at all. */
  readonly caching: boolean;
}

/** One that needs its key, and nothing else. */
const usual = <const Prefix extends string>(prefix: Prefix) => {
  const key = `${prefix}_API_KEY` as const;
  return { key, address: `${prefix}_BASE_URL`, more: [], needs: [[key]], caching: false } as const;
};

/** `npm run config` and the reference say what each variable is. */
const TABLE = {
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
} as const satisfies Record<ProviderName, Provider<string>>;

type Named = (typeof TABLE)[ProviderName];
export type ProviderVariable = Named["key"] | Named["address"] | Named["more"][number];

export const PROVIDERS: Readonly<Record<ProviderName, Provider<ProviderVariable>>> = TABLE;

/** Of all providers. */
export const VARIABLES: readonly ProviderVariable[] = Object.values(PROVIDERS).flatMap(
  ({ key, address, more }) => [key, address, ...more],
);
