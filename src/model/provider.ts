/** Anthropic belongs to the core; a feature adds other providers. */

import type { Log } from "../ports/host.ts";
import type { Prices } from "../ports/money.ts";
import type { Blobs } from "../ports/store.ts";
import type { ProviderClient } from "./attempt.ts";
import type { ModelFacts } from "./catalogue.ts";
import type { FailureContext } from "./failure.ts";

export interface ModelProvider {
  /** Prefix that people write before the name of a model: `provider/name`. */
  readonly name: string;
  /** `key`, `address` and `more` are names of variables. */
  readonly key: string;
  readonly address: string;
  readonly more: readonly string[];
  /** At least one of these sets must be complete. */
  readonly needs: readonly (readonly string[])[];
  /** Alternative variable with credentials, if there is no key. */
  readonly instead?: string;
  /** Whether the provider caches blocks that we mark. All others cache automatically or not at all. */
  readonly caching: boolean;
  /** Names of the provider's models, used if a name contains no provider. */
  readonly makes?: RegExp;
  /** A sentence about software that must be installed first; null if nothing is missing. */
  readonly missing?: () => string | null;
  readonly wire: (model: ConfiguredModel, deps: WireDeps) => Promise<ProviderClient>;
}

export interface WireDeps {
  readonly context: FailureContext;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  readonly maxTokens: number;
}

export interface ConfiguredModel extends Pick<ModelProvider, "wire"> {
  /** Name for people, modes and threads; `name` is the provider's. */
  readonly alias: string;
  readonly provider: string;
  readonly name: string;
  readonly key: string | null;
  /** Null for the provider's default address. */
  readonly address: string | null;
  readonly more: Readonly<Record<string, string>>;
  /** Whether the address is on this machine, or on a host that may be used without TLS. */
  readonly local: boolean;
  readonly named: { readonly key: string; readonly address: string };
  readonly facts: ModelFacts;
  readonly pictures: boolean;
  readonly tools: boolean;
  readonly caching: boolean;
  /** Tokens for thinking before an answer; null for the provider's default. */
  readonly thinking: number | null;
  readonly from: {
    readonly window: FigureOrigin;
    readonly longest: FigureOrigin;
    readonly prices: FigureOrigin;
  };
}

export type FigureOrigin = "file" | "catalogue" | "price list" | "local" | "assumed" | "provider";

export interface OtherProviders {
  readonly providers: readonly ModelProvider[];
  readonly list: {
    readonly setting: string;
    readonly read: (() => Promise<ModelList>) | null;
  } | null;
  /** Facts of a model in a price list; null if missing. `address` identifies the provider behind a compatible server. */
  readonly published: (
    provider: string,
    name: string,
    address: string | null,
  ) => Promise<PublishedFacts | null>;
  /** Limits that are missing or wrong in the price list. */
  readonly limits: (name: string) => PublishedLimits;
}

export const NO_OTHER_PROVIDERS: OtherProviders = {
  providers: [],
  list: null,
  published: () => Promise.resolve(null),
  limits: () => ({}),
};

export type ModelList =
  | { readonly kind: "entries"; readonly entries: readonly ModelEntry[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export interface ModelEntry {
  readonly alias: string;
  /** If absent, `name` is `provider/name`, or determines the provider. */
  readonly provider?: string | undefined;
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly keyVariable?: string | undefined;
  readonly window?: number | undefined;
  readonly longest?: number | undefined;
  readonly pictures?: boolean | undefined;
  readonly tools?: boolean | undefined;
  readonly caching?: boolean | undefined;
  readonly thinking?: number | undefined;
  readonly prices?:
    | {
        readonly input: number;
        readonly output: number;
        readonly cacheRead?: number | undefined;
        readonly cacheWrite?: number | undefined;
      }
    | undefined;
  /** Location of the entry, for messages. */
  readonly at: string;
}

export interface PublishedFacts {
  /** Tokens; null if the list does not say. */
  readonly window: number | null;
  readonly prices: Prices;
}

export interface PublishedLimits {
  /** Tokens of the whole conversation that a request may hold. */
  readonly window?: number;
  readonly longest?: number;
}
