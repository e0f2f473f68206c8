/** How models of a provider are configured and asked. Anthropic is the core's; others come from a feature. */

import type { Log } from "../ports/host.ts";
import type { Prices } from "../ports/money.ts";
import type { Blobs } from "../ports/store.ts";
import type { ProviderClient } from "./attempt.ts";
import type { ModelFacts } from "./catalogue.ts";
import type { FailureContext } from "./failure.ts";

export interface ModelProvider {
  /** People write it before the name of a model: `provider/name`. */
  readonly name: string;
  /** Variable of the key. */
  readonly key: string;
  /** Variable of the address. */
  readonly address: string;
  /** Variables of what else its SDK is told. */
  readonly more: readonly string[];
  /** One of these sets must be given whole. */
  readonly needs: readonly (readonly string[])[];
  /** What else holds credentials, if there is no key. */
  readonly instead?: string;
  /** It caches what we mark. All others cache by themselves or not at all. */
  readonly caching: boolean;
  /** Names of models that are its own, if nothing names a provider. */
  readonly makes?: RegExp;
  /** What has to be installed before it can be asked, in a sentence; null: nothing. */
  readonly missing?: () => string | null;
  readonly wire: (model: ConfiguredModel, deps: WireDeps) => Promise<ProviderClient>;
}

export interface WireDeps {
  readonly context: FailureContext;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  /** Upper bound of one response in tokens. */
  readonly maxTokens: number;
}

export interface ConfiguredModel extends Pick<ModelProvider, "wire"> {
  /** What people, modes and threads call it. */
  readonly alias: string;
  readonly provider: string;
  /** The provider's name for it. */
  readonly name: string;
  readonly key: string | null;
  /** Null: the provider's own. */
  readonly address: string | null;
  /** What else the provider's SDK is told, by variable. */
  readonly more: Readonly<Record<string, string>>;
  /** Its address is on this machine, or one that may be asked without TLS. */
  readonly local: boolean;
  /** The settings that hold the key and the address, for sentences. */
  readonly named: { readonly key: string; readonly address: string };
  readonly facts: ModelFacts;
  readonly pictures: boolean;
  readonly tools: boolean;
  readonly caching: boolean;
  /** Tokens that it may think before an answer; null: as the provider has it. */
  readonly thinking: number | null;
  /** Where each figure is from. */
  readonly from: {
    readonly window: FigureOrigin;
    readonly longest: FigureOrigin;
    readonly prices: FigureOrigin;
  };
}

export type FigureOrigin = "file" | "catalogue" | "price list" | "local" | "assumed" | "provider";

/** What a feature adds to Anthropic's models. */
export interface OtherProviders {
  readonly providers: readonly ModelProvider[];
  /** The operator's list of models. */
  readonly list: {
    /** The setting that names it. */
    readonly setting: string;
    /** Null: there is none. */
    readonly read: (() => Promise<ModelList>) | null;
  } | null;
  /** What a price list says of a model of any provider; null: it does not have it. `address` tells whose a compatible server is. */
  readonly published: (
    provider: string,
    name: string,
    address: string | null,
  ) => Promise<PublishedFacts | null>;
  /** What the price list lacks or has otherwise. */
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
  /** Absent: `name` is `provider/name`, or says whose the model is. */
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
  /** Where it stands, for people. */
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
  /** Tokens of an answer that a request may ask for. */
  readonly longest?: number;
}
