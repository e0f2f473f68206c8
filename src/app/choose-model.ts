import type { Clock, Log } from "../ports/host.ts";
import type { ModelNames, PricedModel, ScriptedModel } from "../ports/model.ts";
import type { Prices } from "../ports/money.ts";
import type { Modes } from "../ports/tools.ts";
import type { Blobs } from "../ports/store.ts";
import { aliasIn, ANTHROPIC, type ConfiguredModels, configuredModels, modelNamed } from "../model/models.ts";
import { type ConfiguredModel, NO_OTHER_PROVIDERS, type OtherProviders } from "../model/provider.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { type Config, secrecyOfSetting } from "./settings/config.ts";

export interface ChosenModel extends PricedModel {
  /** Alias of the model that answers unless another is chosen. */
  readonly name: string;
  /** Models that can be chosen by name, including the first; empty for a scripted model. */
  readonly configured: readonly ConfiguredModel[];
  /** Whether no provider is called and nothing costs money. */
  readonly isScripted: boolean;
  /** Notice at start-up and in every thread; null if there is none. */
  readonly notice: string | null;
  readonly knows: (model: string) => boolean;
}

export const modelsOf = (config: Config): Promise<ConfiguredModels> =>
  configuredModels({
    wanted: config.PARLEY_MODEL ?? null,
    scripted: scriptedOf(config),
    others: otherProvidersOf(config),
    also: ROLES.flatMap((variable) => {
      const name = config[variable];
      return name === undefined ? [] : [{ variable, name }];
    }),
    plainHosts: config.PARLEY_MODEL_PLAIN_HOSTS,
    read: readerOf(config),
  });

export const otherProvidersOf = ({ features }: Pick<Config, "features">): OtherProviders =>
  features.find(({ providers }) => providers !== null)?.providers ?? NO_OTHER_PROVIDERS;

const readerOf = (config: Config): ((variable: string) => string | null) => {
  const ofFeature = config.features.find(({ providers }) => providers !== null)?.values;
  const values: Readonly<Record<string, unknown>> = { ...config.otherKeys, ...ofFeature, ...config };
  return (variable) => {
    const value = values[variable];
    return typeof value === "string" ? value : null;
  };
};

export const scriptedOf = ({ features }: Pick<Config, "features">): ScriptedModel | null =>
  features.find(({ model }) => model !== null)?.model ?? null;

const ROLES = [
  "PARLEY_AGENT_MODEL",
  "PARLEY_SUMMARY_MODEL",
  "PARLEY_FALLBACK_MODEL",
  "PARLEY_FIRST_MODEL",
] as const;

export const modeProblems = (modes: Modes, models: Usable): readonly string[] =>
  models.kind === "scripted"
    ? []
    : modes.all.flatMap(({ key, model }) => {
        if (model === undefined || modelNamed(models.models, model) !== null) return [];
        const aliases = models.models.map(({ alias }) => alias);
        return [`the work mode ${key} needs the model ${model}, which is not one of ${aliases.join(", ")}`];
      });

/** A scripted model is the only model on its host. */
export const modelNames = (config: Config, { name, configured, knows }: ChosenModel): ModelNames => {
  if (configured.length === 0) return { all: [name], knows };
  const all = configured.map(({ alias }) => alias);
  const {
    PARLEY_AGENT_MODEL: agents,
    PARLEY_SUMMARY_MODEL: summaries,
    PARLEY_FALLBACK_MODEL: fallback,
    PARLEY_FIRST_MODEL: first,
  } = config;
  const called = (model: string | undefined): string | undefined => model && aliasIn(model, all);
  return {
    all,
    knows,
    ...omitUndefined({ agents: called(agents), summaries: called(summaries), fallback: called(fallback) }),
    ...(called(first) === name ? {} : omitUndefined({ first: called(first) })),
  };
};

type Usable = Exclude<ConfiguredModels, { readonly kind: "invalid" }>;

export const chooseModel = async (
  config: Config,
  models: Usable,
  deps: { readonly blobs: Pick<Blobs, "get">; readonly log: Log; readonly clock: Clock },
): Promise<ChosenModel> => {
  if (models.kind === "scripted") return ofScript(config, models.model, deps.clock);
  const { createModelRouter } = await import("../model/router.ts");
  const [first] = models.models;
  const { PARLEY_CONTEXT_WINDOW: window } = config;
  const router = createModelRouter({
    ...deps,
    models: models.models,
    isSecret: (variable) => secrecyOfSetting(variable) === "whole",
    maxTokens: config.PARLEY_MAX_TOKENS,
    ...omitUndefined({ window }),
  });
  return {
    name: first.alias,
    configured: models.models,
    isScripted: false,
    notice: noticeOf(models.models, otherProvidersOf(config)),
    ...router,
  };
};

const FREE: Prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const ofScript = async (config: Config, scripted: ScriptedModel, clock: Clock): Promise<ChosenModel> => {
  const model = await scripted.create(clock);
  const { name } = scripted;
  const { PARLEY_CONTEXT_WINDOW: most = Infinity } = config;
  const read = readerOf(config);
  const given = [ANTHROPIC, ...otherProvidersOf(config).providers]
    .flatMap(({ key, address, more }) => [key, address, ...more])
    .find((variable) => variable !== ANTHROPIC.key && read(variable) !== null);
  const more =
    given === undefined || config.PARLEY_MODEL === name
      ? ""
      : ` ${given} is set: name a model of that provider in PARLEY_MODEL, as provider/name (docs/models.md).`;
  return {
    name,
    configured: [],
    isScripted: true,
    model: { ...model, window: (one) => Math.min(model.window(one), most) },
    notice: scripted.notice + more,
    prices: () => FREE,
    longest: () => config.PARLEY_MAX_TOKENS,
    knows: (one) => one === name,
  };
};

const noticeOf = (models: readonly ConfiguredModel[], { list }: OtherProviders): string | null => {
  const assumed = models.filter(({ from }) => from.window === "assumed");
  const [one] = assumed;
  if (one === undefined) return null;
  const names = assumed.map(({ alias }) => alias).join(", ");
  const remedy = list === null ? "" : `: set "window" in the file that ${list.setting} names`;
  return `The context window of ${names} is unknown, so Parley assumes ${one.facts.window.toLocaleString("en")} tokens${remedy}.`;
};
