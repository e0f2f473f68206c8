/**
 * The models that this host may ask, as the operator configured them: each with its provider's settings and what is
 * known of it. What is not known and would be needed is a problem that says what to set; nothing is guessed.
 */

import { findPackageJSON } from "node:module";
import type { ModelFacts } from "./catalogue.ts";
import { anthropicFacts, FREE } from "./catalogue.ts";
import { meant } from "./json-file.ts";
import { limitsOf } from "./limits.ts";
import { type ModelEntry, readModelsFile } from "./models-file.ts";
import type { ScriptedModel } from "../ports/model.ts";
import { nearest } from "../text/nearest.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderName, type ProviderVariable } from "./providers.ts";

export interface ConfiguredModel {
  /** What people, modes and threads call it. */
  readonly alias: string;
  readonly provider: ProviderName;
  /** The provider's name for it. */
  readonly name: string;
  readonly key: string | null;
  /** Null: the provider's own. */
  readonly address: string | null;
  /** What else the provider's SDK is told. */
  readonly more: Readonly<Partial<Record<ProviderVariable, string>>>;
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

type FigureOrigin = "file" | "catalogue" | "price list" | "local" | "assumed" | "provider";

export type ConfiguredModels =
  /** The first answers where nothing else is said. */
  | { readonly kind: "models"; readonly models: readonly [ConfiguredModel, ...ConfiguredModel[]] }
  /** No provider is asked. */
  | { readonly kind: "scripted"; readonly model: ScriptedModel }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export interface ModelSettings {
  /** PARLEY_MODEL: an alias of the file, or `provider/name`. */
  readonly wanted: string | null;
  /** Null: this program has none. */
  readonly scripted: ScriptedModel | null;
  /** PARLEY_MODELS: the path of the file. */
  readonly file: string | null;
  /** What other settings name, each an alias of the file, or `provider/name` as well. */
  readonly also?: readonly { readonly variable: string; readonly name: string }[];
  /** Hosts that may be asked without TLS beyond this machine. */
  readonly plainHosts: readonly string[];
  /** Null where a variable is unset. */
  readonly read: (variable: string) => string | null;
}

const DEFAULT_MODEL = "claude-sonnet-5-5";

export const configuredModels = async (settings: ModelSettings): Promise<ConfiguredModels> => {
  const { wanted, scripted, file, read } = settings;
  const isAny = wanted !== null || file !== null || read("ANTHROPIC_API_KEY") !== null;
  if (scripted !== null && (wanted === scripted.name || !isAny)) return { kind: "scripted", model: scripted };
  if (!isAny) return { kind: "invalid", problems: [NO_MODEL] };
  const listed = file === null ? { kind: "entries" as const, entries: [] } : readModelsFile(file);
  if (listed.kind === "invalid") return listed;
  const first = choose(wanted, listed.entries);
  const chosen = first.kind === "invalid" ? first : withAlso(first.entries, settings.also);
  if (chosen.kind === "invalid") return chosen;
  const made = await Promise.all(chosen.entries.map((entry) => configured(entry, settings)));
  const [usual, ...rest] = made.flatMap((one) => (one.kind === "model" ? [one.model] : []));
  const problems = made.flatMap((one) => (one.kind === "invalid" ? one.problems : []));
  return problems.length > 0 || usual === undefined
    ? { kind: "invalid", problems: [...new Set(problems)] }
    : { kind: "models", models: [usual, ...rest] };
};

const NO_MODEL = "ANTHROPIC_API_KEY: is not set, and no other model is configured (docs/models.md)";

type Choice = ReturnType<typeof readModelsFile>;

/** The default first. */
const choose = (wanted: string | null, entries: readonly ModelEntry[]): Choice => {
  const name = wanted ?? (entries.length === 0 ? DEFAULT_MODEL : null);
  if (name === null) return { kind: "entries", entries };
  const found = entries.find(({ alias }) => alias === name);
  if (found !== undefined) {
    return { kind: "entries", entries: [found, ...entries.filter((one) => one !== found)] };
  }
  const aliases = entries.map(({ alias }) => alias);
  const close = nearest(name, aliases);
  const isNamed = providerOf(name) !== null || makerOf(name) !== null;
  if (!isNamed && aliases.length > 0) {
    const why = `PARLEY_MODEL: ${name} is no alias of PARLEY_MODELS${meant(close)}`;
    return { kind: "invalid", problems: [why] };
  }
  return { kind: "entries", entries: [{ alias: shortName(name), name, at: "PARLEY_MODEL" }, ...entries] };
};

const shortName = (name: string): string => name.slice(name.indexOf("/") + 1);

/** Those that only a setting names stand behind the others. */
const withAlso = (entries: readonly ModelEntry[], also: ModelSettings["also"] = []): Choice => {
  const all = [...entries];
  const problems: string[] = [];
  for (const { variable, name } of also) {
    const aliases = all.map(({ alias }) => alias);
    if (aliases.includes(aliasIn(name, aliases))) continue;
    if (providerOf(name) !== null || makerOf(name) !== null)
      all.push({ alias: shortName(name), name, at: variable });
    else
      problems.push(
        `${variable}: there is no model ${name}: it is an alias of PARLEY_MODELS, or provider/name${meant(nearest(name, aliases))}`,
      );
  }
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "entries", entries: all };
};

/** What a setting names, among these. */
export const aliasIn = (name: string, aliases: readonly string[]): string =>
  aliases.includes(name) ? name : shortName(name);

/** With a key for Anthropic every model of theirs can be asked by its name. */
export const modelNamed = (models: readonly ConfiguredModel[], name: string): ConfiguredModel | null => {
  const found = models.find(({ alias }) => alias === name);
  if (found !== undefined) return found;
  const like = models.find(({ provider }) => provider === "anthropic");
  const facts = like === undefined ? null : anthropicFacts(name);
  return like === undefined || facts === null ? null : { ...like, alias: name, name, facts };
};

type Made =
  | { readonly kind: "model"; readonly model: ConfiguredModel }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

const configured = async (entry: ModelEntry, settings: ModelSettings): Promise<Made> => {
  const parts = named(entry);
  if (parts.kind === "unknown") return { kind: "invalid", problems: [`${entry.at}: ${parts.why}`] };
  const { provider, name } = parts;
  const { problems, ...given } = providerSettings(entry, provider, settings);
  const known = await factsOf(entry, provider, name, given);
  const wanted = PACKAGES[provider];
  if (wanted !== undefined && !isInstalled(wanted))
    problems.push(`${provider} needs a package that does not come with Parley: npm install ${wanted}`);
  if (known === null)
    problems.push(
      `no price of ${provider}/${name} is known, and budgets would not count it: give its "prices" in the file that PARLEY_MODELS names (docs/models.md)`,
    );
  if (known === null || problems.length > 0)
    return { kind: "invalid", problems: problems.map((problem) => `${entry.at}: ${problem}`) };
  return {
    kind: "model",
    model: {
      alias: entry.alias,
      provider,
      name,
      ...given,
      ...known,
      pictures: entry.pictures ?? true,
      tools: entry.tools ?? true,
      caching: entry.caching ?? PROVIDERS[provider].caching,
      thinking: entry.thinking ?? null,
    },
  };
};

/** Those that are too large to come along for everybody. */
const PACKAGES: Readonly<Partial<Record<ProviderName, string>>> = {
  vertex: "@ai-sdk/google-vertex",
  bedrock: "@ai-sdk/amazon-bedrock",
};

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

type Named =
  | { readonly kind: "named"; readonly provider: ProviderName; readonly name: string }
  | { readonly kind: "unknown"; readonly why: string };

const named = ({ provider, name }: ModelEntry): Named => {
  if (provider !== undefined) return { kind: "named", provider, name };
  const said = providerOf(name);
  if (said !== null) return { kind: "named", provider: said, name: name.slice(said.length + 1) };
  const [word = "", ...rest] = name.split("/");
  if (rest.length > 0) {
    const close = nearest(word, PROVIDER_NAMES);
    const known = PROVIDER_NAMES.join(", ");
    return { kind: "unknown", why: `${word} is no provider (${known})${meant(close)}` };
  }
  return { kind: "named", provider: makerOf(name) ?? "anthropic", name };
};

/** Of `provider/name`. */
const providerOf = (name: string): ProviderName | null =>
  PROVIDER_NAMES.find((one) => name.startsWith(`${one}/`) && name.length > one.length + 1) ?? null;

const makerOf = (name: string): ProviderName | null => MAKERS.find(([like]) => like.test(name))?.[1] ?? null;

/** Whose a name is that says no provider. */
const MAKERS: readonly (readonly [RegExp, ProviderName])[] = [
  [/^(gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
  [/^claude-/, "anthropic"],
  [/^(open-)?(mi[sx]tral|codestral|devstral|magistral|ministral|pixtral)/, "mistral"],
];

const providerSettings = (entry: ModelEntry, provider: ProviderName, settings: ModelSettings) => {
  const { key, address, more, needs, instead } = PROVIDERS[provider];
  const { read } = settings;
  const own = entry.keyVariable ?? key;
  const named = {
    key: read(own) === null && instead !== undefined ? instead : own,
    address: entry.baseUrl === undefined ? address : '"baseUrl"',
  };
  const given = (variable: string): boolean =>
    (variable === key ? read(own) : variable === address ? at : read(variable)) !== null;
  const at = entry.baseUrl ?? read(address);
  const lacking = needs.map((set) => set.filter((variable) => !given(variable)));
  const [fewest = []] = lacking.toSorted((a, b) => a.length - b.length);
  const missing = fewest.map((variable) => (variable === key ? own : variable));
  const host = at === null ? null : new URL(at);
  const local = host !== null && (isLoopback(host.hostname) || settings.plainHosts.includes(host.hostname));
  const { keyVariable = null } = entry;
  const problems: string[] = [];
  const any = missing.includes("ANTHROPIC_API_KEY") ? " (any value for a server that wants none)" : "";
  if (missing.length > 0) problems.push(`needs ${missing.join(" and ")}${any}`);
  if (keyVariable !== null && read(keyVariable) === null && !missing.includes(keyVariable))
    problems.push(`needs ${keyVariable}, which is not set`);
  if (host?.protocol === "http:" && !local)
    problems.push(
      `${named.address} is without TLS, and ${host.hostname} is not this machine: use https, or name the host in PARLEY_MODEL_PLAIN_HOSTS`,
    );
  const others = more.flatMap((variable) => {
    const value = read(variable);
    return value === null ? [] : [[variable, value] as const];
  });
  return {
    key: read(own),
    address: at,
    more: Object.fromEntries(others),
    local,
    named,
    problems,
  };
};

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** Tokens that every model of today takes. */
const ASSUMED_WINDOW = 32_768;

/** Null where no price is known. */
const factsOf = async (
  entry: ModelEntry,
  provider: ProviderName,
  name: string,
  { address, local }: Pick<ConfiguredModel, "address" | "local">,
): Promise<Pick<ConfiguredModel, "facts" | "from"> | null> => {
  const own = provider === "anthropic" ? anthropicFacts(name) : null;
  const isGiven = entry.prices !== undefined && entry.window !== undefined;
  const listed =
    own === null && !isGiven ? (await import("./listed.ts")).listedFacts(provider, name, address) : null;
  const prices = firstGiven(
    ["file", pricesOf(entry)],
    ["catalogue", own?.prices],
    ["price list", listed?.prices],
    ["local", local ? FREE : undefined],
  );
  if (prices === null) return null;
  const limits = limitsOf(name);
  const window = firstGiven(
    ["file", entry.window],
    ["catalogue", own?.window ?? limits.window],
    ["price list", listed?.window ?? undefined],
  );
  const longest = firstGiven(["file", entry.longest], ["catalogue", limits.longest]);
  return {
    facts: {
      window: window?.value ?? ASSUMED_WINDOW,
      maxOutput: longest?.value ?? null,
      prices: prices.value,
    },
    from: {
      window: window?.from ?? "assumed",
      longest: longest?.from ?? "provider",
      prices: prices.from,
    },
  };
};

const firstGiven = <T>(...said: readonly (readonly [FigureOrigin, T | undefined])[]) => {
  for (const [from, value] of said) if (value !== undefined) return { value, from };
  return null;
};

/** What a cache costs is what input costs, where nothing else is said. */
const pricesOf = ({ prices }: ModelEntry): ModelFacts["prices"] | undefined => {
  if (prices === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = prices;
  return { input, output, cacheRead, cacheWrite };
};
