/** A missing required fact is a problem that says what to set; nothing is guessed. */

import type { ModelFacts } from "./catalogue.ts";
import { anthropicFacts, FREE_OF_CHARGE, longestOfClaude } from "./catalogue.ts";
import { didYouMean } from "./json-file.ts";
import {
  type ConfiguredModel,
  type FigureOrigin,
  type ModelEntry,
  type ModelList,
  type ModelProvider,
  NO_OTHER_PROVIDERS,
  type OtherProviders,
} from "./provider.ts";
import type { ScriptedModel } from "../ports/model.ts";
import { closestMatch } from "../text/closest-match.ts";

export type ConfiguredModels =
  /** The first model is the default. */
  | { readonly kind: "models"; readonly models: readonly [ConfiguredModel, ...ConfiguredModel[]] }
  | { readonly kind: "scripted"; readonly model: ScriptedModel }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export interface ModelSettings {
  /** PARLEY_MODEL: an alias of the operator's list, or `provider/name`. */
  readonly wanted: string | null;
  readonly scripted: ScriptedModel | null;
  /** If absent, only Anthropic's models can be named. */
  readonly others?: OtherProviders;
  /** Models that other settings name, each by an alias of the list or by `provider/name`. */
  readonly also?: readonly { readonly variable: string; readonly name: string }[];
  /** Remote hosts that may be used without TLS. */
  readonly plainHosts: readonly string[];
  readonly read: (variable: string) => string | null;
}

export const DEFAULT_MODEL = "claude-sonnet-5-5";

export const ANTHROPIC: ModelProvider = {
  name: "anthropic",
  key: "ANTHROPIC_API_KEY",
  address: "ANTHROPIC_BASE_URL",
  more: [],
  needs: [["ANTHROPIC_API_KEY"]],
  caching: true,
  makes: /^claude-/,
  wire: async (model, deps) => (await import("./anthropic.ts")).anthropicWire(model, deps),
};

export const configuredModels = async (settings: ModelSettings): Promise<ConfiguredModels> => {
  const { wanted, scripted, read, others = NO_OTHER_PROVIDERS } = settings;
  const readList = others.list?.read ?? null;
  const isAny = wanted !== null || readList !== null || read("ANTHROPIC_API_KEY") !== null;
  if (scripted !== null && (wanted === scripted.name || !isAny)) return { kind: "scripted", model: scripted };
  if (!isAny) return { kind: "invalid", problems: [NO_MODEL] };
  const listed = readList === null ? NO_LIST : await readList();
  if (listed.kind === "invalid") return listed;
  const providers = [ANTHROPIC, ...others.providers];
  const naming = { providers, list: others.list?.setting ?? null };
  const first = choose(wanted, listed.entries, naming);
  const chosen = first.kind === "invalid" ? first : withAlso(first.entries, naming, settings.also);
  if (chosen.kind === "invalid") return chosen;
  const made = await Promise.all(
    chosen.entries.map((entry) => configured(entry, { ...settings, others, providers })),
  );
  const [usual, ...rest] = made.flatMap((one) => (one.kind === "model" ? [one.model] : []));
  const problems = made.flatMap((one) => (one.kind === "invalid" ? one.problems : []));
  return problems.length > 0 || usual === undefined
    ? { kind: "invalid", problems: [...new Set(problems)] }
    : { kind: "models", models: [usual, ...rest] };
};

const NO_LIST: ModelList = { kind: "entries", entries: [] };

interface Naming {
  readonly providers: readonly ModelProvider[];
  readonly list: string | null;
}

const NO_MODEL = "ANTHROPIC_API_KEY: is not set, and no other model is configured (docs/models.md)";

const choose = (
  wanted: string | null,
  entries: readonly ModelEntry[],
  { providers, list }: Naming,
): ModelList => {
  const name = wanted ?? (entries.length === 0 ? DEFAULT_MODEL : null);
  if (name === null) return { kind: "entries", entries };
  const found = entries.find(({ alias }) => alias === name);
  if (found !== undefined) {
    return { kind: "entries", entries: [found, ...entries.filter((one) => one !== found)] };
  }
  const aliases = entries.map(({ alias }) => alias);
  const close = closestMatch(name, aliases);
  if (!isNamed(name, providers) && aliases.length > 0) {
    const why = `PARLEY_MODEL: ${name} is not an alias of ${list}${didYouMean(close)}`;
    return { kind: "invalid", problems: [why] };
  }
  return { kind: "entries", entries: [{ alias: shortName(name), name, at: "PARLEY_MODEL" }, ...entries] };
};

const shortName = (name: string): string => name.slice(name.indexOf("/") + 1);

const withAlso = (
  entries: readonly ModelEntry[],
  { providers, list }: Naming,
  also: ModelSettings["also"] = [],
): ModelList => {
  const all = [...entries];
  const problems: string[] = [];
  for (const { variable, name } of also) {
    const aliases = all.map(({ alias }) => alias);
    if (aliases.includes(aliasIn(name, aliases))) continue;
    if (isNamed(name, providers)) all.push({ alias: shortName(name), name, at: variable });
    else {
      const alias = list === null ? "" : `an alias of ${list}, or `;
      problems.push(
        `${variable}: there is no model ${name}: use ${alias}provider/name${didYouMean(closestMatch(name, aliases))}`,
      );
    }
  }
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "entries", entries: all };
};

export const aliasIn = (name: string, aliases: readonly string[]): string =>
  aliases.includes(name) ? name : shortName(name);

/** With a key for Anthropic, every Anthropic model can be used by name. */
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

type Configuring = ModelSettings & Required<Pick<ModelSettings, "others">> & Pick<Naming, "providers">;

const configured = async (entry: ModelEntry, settings: Configuring): Promise<Made> => {
  const parts = named(entry, settings.providers);
  if (parts.kind === "unknown") return { kind: "invalid", problems: [`${entry.at}: ${parts.why}`] };
  const { provider, name } = parts;
  const { others } = settings;
  const { problems, ...given } = providerSettings(entry, provider, settings);
  const known = await factsOf(entry, provider, name, given, others);
  const missing = provider.missing?.() ?? null;
  if (missing !== null) problems.push(missing);
  if (known === null) {
    const remedy = others.list === null ? "" : `: set "prices" in the file that ${others.list.setting} names`;
    problems.push(
      `the price of ${provider.name}/${name} is unknown, so budgets could not count it${remedy} (docs/models.md)`,
    );
  }
  if (known === null || problems.length > 0)
    return { kind: "invalid", problems: problems.map((problem) => `${entry.at}: ${problem}`) };
  return {
    kind: "model",
    model: {
      alias: entry.alias,
      provider: provider.name,
      name,
      wire: provider.wire,
      ...given,
      ...known,
      pictures: entry.pictures ?? true,
      tools: entry.tools ?? true,
      caching: entry.caching ?? provider.caching,
      thinking: entry.thinking ?? null,
    },
  };
};

type Named =
  | { readonly kind: "named"; readonly provider: ModelProvider; readonly name: string }
  | { readonly kind: "unknown"; readonly why: string };

const named = ({ provider, name }: ModelEntry, providers: readonly ModelProvider[]): Named => {
  const given = providers.find((one) => one.name === provider);
  if (given !== undefined) return { kind: "named", provider: given, name };
  const said = providerOf(name, providers);
  if (said !== null) return { kind: "named", provider: said, name: name.slice(said.name.length + 1) };
  const [word = "", ...rest] = name.split("/");
  if (rest.length > 0) {
    const names = providers.map((one) => one.name);
    const why = `${word} is not a provider (${names.join(", ")})${didYouMean(closestMatch(word, names))}`;
    return { kind: "unknown", why };
  }
  return { kind: "named", provider: makerOf(name, providers) ?? ANTHROPIC, name };
};

const isNamed = (name: string, providers: readonly ModelProvider[]): boolean =>
  providerOf(name, providers) !== null || makerOf(name, providers) !== null;

const providerOf = (name: string, providers: readonly ModelProvider[]): ModelProvider | null =>
  providers.find((one) => name.startsWith(`${one.name}/`) && name.length > one.name.length + 1) ?? null;

/** Provider whose pattern matches a name without a provider. */
const makerOf = (name: string, providers: readonly ModelProvider[]): ModelProvider | null =>
  providers.find(({ makes }) => makes?.test(name) === true) ?? null;

const providerSettings = (
  entry: ModelEntry,
  { key, address, more, needs, instead }: ModelProvider,
  settings: ModelSettings,
) => {
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
  const any = missing.includes("ANTHROPIC_API_KEY") ? " (any value if the server needs no key)" : "";
  if (missing.length > 0) problems.push(`needs ${missing.join(" and ")}${any}`);
  if (keyVariable !== null && read(keyVariable) === null && !missing.includes(keyVariable))
    problems.push(`needs ${keyVariable}, which is not set`);
  if (host?.protocol === "http:" && !local)
    problems.push(
      `${named.address} has no TLS, and ${host.hostname} is not this machine: use https, or list the host in PARLEY_MODEL_PLAIN_HOSTS`,
    );
  const further = more.flatMap((variable) => {
    const value = read(variable);
    return value === null ? [] : [[variable, value] as const];
  });
  return {
    key: read(own),
    address: at,
    more: Object.fromEntries(further),
    local,
    named,
    problems,
  };
};

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** Tokens that every current model accepts. */
const ASSUMED_WINDOW = 32_768;

/** Null if no price is known. */
const factsOf = async (
  entry: ModelEntry,
  provider: ModelProvider,
  name: string,
  { address, local }: Pick<ConfiguredModel, "address" | "local">,
  others: OtherProviders,
): Promise<Pick<ConfiguredModel, "facts" | "from"> | null> => {
  const own = provider === ANTHROPIC ? anthropicFacts(name) : null;
  const isGiven = entry.prices !== undefined && entry.window !== undefined;
  const listed = own === null && !isGiven ? await others.published(provider.name, name, address) : null;
  const prices = firstGiven(
    ["file", pricesOf(entry)],
    ["catalogue", own?.prices],
    ["price list", listed?.prices],
    ["local", local ? FREE_OF_CHARGE : undefined],
  );
  if (prices === null) return null;
  const limits = others.limits(name);
  const window = firstGiven(
    ["file", entry.window],
    ["catalogue", own?.window ?? limits.window],
    ["price list", listed?.window ?? undefined],
  );
  const longest = firstGiven(["file", entry.longest], ["catalogue", limits.longest ?? longestOfClaude(name)]);
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

/** Cached tokens cost as much as input unless their price is set. */
const pricesOf = ({ prices }: ModelEntry): ModelFacts["prices"] | undefined => {
  if (prices === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = prices;
  return { input, output, cacheRead, cacheWrite };
};
