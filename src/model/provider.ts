/** Configuration and protocol of a provider's models. Anthropic belongs to the core; a feature adds others. */

import type { Log } from "../ports/host.ts";
import type { Prices } from "../ports/money.ts";
import type { Blobs } from "../ports/store.ts";
import type { ProviderClient } from "./attempt.ts";
import type { ModelFacts } from "./catalogue.ts";
import type { FailureContext } from "./failure.ts";

export interface ModelProvider {
  /** Prefix that people write before the name of a model: `provider/name`. */
  readonly name: string;
  /** Variable of the key. */
  readonly key: string;
  /** Variable of the address. */
  readonly address: string;
  /** Variables of further SDK settings. */
  readonly more: readonly string[];
  /** At least one of these sets must be complete. */
  readonly needs: readonly (readonly string[])[];
  /** Alternative variable with credentials, if there is no key. */
  readonly instead?: string;
  /** Whether the provider caches blocks that we mark. All others cache automatically or not at all. */
  readonly caching: boolean;
  /** Names of the provider's models, used if a name contains no provider. */
  readonly makes?: RegExp;
  /** Says in a sentence what must be installed first; null if nothing. */
  readonly missing?: () => string | null;
  readonly wire: (model: ConfiguredModel, deps: WireDeps) => Promise<ProviderClient>;
}

export interface WireDeps {
  readonly context: FailureContext;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  /** Upper limit of one response in tokens. */
  readonly maxTokens: number;
}

export interface ConfiguredModel extends Pick<ModelProvider, "wire"> {
  /** Name of the model for people, modes and threads. */
  readonly alias: string;
  readonly provider: string;
  /** The provider's name of the model. */
  readonly name: string;
  readonly key: string | null;
  /** Null for the provider's default address. */
  readonly address: string | null;
  /** Further SDK settings, by variable. */
  readonly more: Readonly<Record<string, string>>;
  /** Whether its address is on this machine, or on a host that may be used without TLS. */
  readonly local: boolean;
  /** The settings that hold the key and the address, for messages. */
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

/** Providers and facts that a feature adds to Anthropic's models. */
export interface OtherProviders {
  readonly providers: readonly ModelProvider[];
  /** The operator's list of models. */
  readonly list: {
    /** The setting that names the list. */
    readonly setting: string;
    /** Null if there is no list. */
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

/** A model as the operator names it. */
export interface ModelEntry {
  readonly alias: string;
  /** If absent, `name` is `provider/name`, or determines the provider. */
  readonly provider?: string | undefined;
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly keyVariable?: string | undefined;
  /** Tokens. */
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
  /** Highest limit of an answer that a request may set, in tokens. */
  readonly longest?: number;
}
