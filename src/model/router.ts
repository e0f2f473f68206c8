import type { Millis } from "../machine/id.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import type { Prices } from "../ports/money.ts";
import type { Blobs } from "../ports/store.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { attempting } from "./attempt.ts";
import type { FailureContext } from "./failure.ts";
import { modelNamed } from "./models.ts";
import type { ConfiguredModel } from "./provider.ts";

export interface ModelRouter {
  readonly model: Model;
  readonly prices: (model: string) => Prices;
  readonly longest: (model: string) => number;
  readonly knows: (model: string) => boolean;
}

export interface RouterOptions {
  /** The first model answers for unknown names: an operator may have removed the model of an old thread. */
  readonly models: readonly [ConfiguredModel, ...ConfiguredModel[]];
  /** Whether the value of a provider's variable must not appear in a sentence. */
  readonly isSecret: (variable: string) => boolean;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  readonly clock: Clock;
  /** A model's lower limit takes precedence. */
  readonly maxTokens: number;
  /** Time without any event after which a request has failed. If absent, the limit depends on the provider. */
  readonly idleLimit?: Millis;
  /** Upper limit of every model's window. */
  readonly window?: number;
}

type Respond = Model["respond"];

/** For a provider that sends no signs of life while it thinks or, on slow hardware, processes a prompt. */
const PATIENCE = 300_000;

export const createModelRouter = (options: RouterOptions): ModelRouter => {
  const { models, window: most = Infinity, maxTokens } = options;
  const opened = new Map<string, Promise<Respond>>();

  const of = (name: string): ConfiguredModel => modelNamed(models, name) ?? models[0];
  const longest = (name: string): number => {
    const { maxOutput, window } = of(name).facts;
    return Math.min(maxTokens, maxOutput ?? Infinity, Math.floor(window / 2));
  };
  const opening = (name: string): Promise<Respond> => {
    const model = of(name);
    const found = opened.get(model.alias) ?? respondOf(model, { ...options, maxTokens: longest(name) });
    opened.set(model.alias, found);
    return found;
  };

  return {
    model: {
      respond: async (request: ModelRequest, hooks) => (await opening(request.model))(request, hooks),
      window: (name) => Math.min(of(name).facts.window, most),
    },
    prices: (name) => of(name).facts.prices,
    longest,
    knows: (name) => modelNamed(models, name) !== null,
  };
};

const respondOf = async (model: ConfiguredModel, options: RouterOptions): Promise<Respond> => {
  const { log, clock, blobs, maxTokens, isSecret } = options;
  const others = Object.entries(model.more).flatMap(([name, value]) => (isSecret(name) ? [value] : []));
  const secrets = model.key === null ? others : [model.key, ...others];
  const context: FailureContext = { model: model.alias, secrets, named: model.named };
  const wire = await model.wire(model, { context, blobs, log, maxTokens });
  const isSilent = model.local || model.provider !== "anthropic";
  const { idleLimit = isSilent ? PATIENCE : undefined } = options;
  return attempting(wire, {
    context,
    prices: model.facts.prices,
    log,
    clock,
    ...omitUndefined({ idleLimit }),
  });
};
