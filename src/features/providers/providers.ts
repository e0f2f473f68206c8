/** Providers other than Anthropic, each with the variables that its SDK documents. */

import { findPackageJSON } from "node:module";
import type { ModelProvider } from "../../model/provider.ts";

export type ProviderName = (typeof PROVIDER_NAMES)[number];

export const PROVIDER_NAMES = [
  "openai",
  "azure",
  "google",
  "vertex",
  "bedrock",
  "mistral",
  "openai-compatible",
] as const;

type Row = Omit<ModelProvider, "name" | "wire">;

const usual = <const Prefix extends string>(prefix: Prefix) => {
  const key = `${prefix}_API_KEY` as const;
  return { key, address: `${prefix}_BASE_URL`, more: [], needs: [[key]], caching: false } as const;
};

/** Some packages are too large to install by default. */
const missing = (provider: ProviderName, name: string) => (): string | null =>
  isInstalled(name)
    ? null
    : `${provider} needs a package that Parley does not include: run npm install ${name}`;

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

/** `npm run config` and the reference describe each variable. */
const TABLE = {
  openai: { ...usual("OPENAI"), makes: /^(gpt-|chatgpt-|o\d)/ },
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
  google: { ...usual("GOOGLE_GENERATIVE_AI"), makes: /^gemini-/ },
  vertex: {
    key: "GOOGLE_VERTEX_API_KEY",
    address: "GOOGLE_VERTEX_BASE_URL",
    more: ["GOOGLE_VERTEX_PROJECT", "GOOGLE_VERTEX_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"],
    needs: [["GOOGLE_VERTEX_PROJECT", "GOOGLE_VERTEX_LOCATION"], ["GOOGLE_VERTEX_API_KEY"]],
    instead: "GOOGLE_APPLICATION_CREDENTIALS",
    caching: false,
    missing: missing("vertex", "@ai-sdk/google-vertex"),
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
    missing: missing("bedrock", "@ai-sdk/amazon-bedrock"),
  },
  mistral: {
    ...usual("MISTRAL"),
    makes: /^(open-)?(mi[sx]tral|codestral|devstral|magistral|ministral|pixtral)/,
  },
  "openai-compatible": { ...usual("OPENAI_COMPATIBLE"), needs: [["OPENAI_COMPATIBLE_BASE_URL"]] },
} as const satisfies Record<ProviderName, Row>;

export type ProviderVariable = (typeof TABLE)[ProviderName]["more"][number];

export const PROVIDERS: Readonly<Record<ProviderName, Row>> = TABLE;
