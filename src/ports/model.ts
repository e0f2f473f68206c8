/** One request to a model, with its stream and its end. */

import type { ConversationId } from "../machine/id.ts";
import type { Failure, StopReason, Usage } from "../machine/words.ts";
import type { AnswerBlock, PromptMessage } from "../thread/prompt.ts";
import type { Prefix } from "./conversation.ts";
import type { Clock } from "./host.ts";
import type { Prices } from "./money.ts";

export interface ModelRequest {
  readonly conversation: ConversationId;
  readonly model: string;
  readonly prefix: Prefix;
  readonly messages: readonly PromptMessage[];
  /** Longest answer that may be paid for, in tokens; absent where nothing but the model bounds it. */
  readonly maxTokens?: number;
}

export interface ModelHooks {
  readonly signal: AbortSignal;
  /** Text as it streams, the new part only. */
  readonly onText: (delta: string) => void;
  /** Nothing was said for a minute; false takes it back. */
  readonly onSilent?: (silent: boolean) => void;
}

export type ModelOutcome =
  | {
      readonly kind: "answered";
      /** Tool uses only where `stop` is `tools`. */
      readonly blocks: readonly AnswerBlock[];
      readonly stop: StopReason;
      readonly usage: Usage;
      /** The provider counted nothing: `usage` is estimated from what was sent and written. */
      readonly estimated?: true;
    }
  /** `usage`: what the provider had counted when it ended; absent where it had not said. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage?: Usage }
  | { readonly kind: "aborted"; readonly usage?: Usage };

/** The models of this host by name. */
export interface ModelNames {
  /** Those that the operator lists, the usual one first. */
  readonly all: readonly string[];
  /** Others may be known beside those that are listed. */
  readonly knows: (name: string) => boolean;
  /** That answers by itself where another one fails; absent: none does. */
  readonly fallback?: string;
  /** That gives first answers, where the usual one looks deeper; absent: the usual one answers at once. */
  readonly first?: string;
  /** That answers in sub-agents for which no call names one; absent: the conversation's own. */
  readonly agents?: string;
  /** That writes summaries; absent: the conversation's own. */
  readonly summaries?: string;
}

export interface Model {
  /** One attempt; retry belongs to the core (BED-006). */
  respond(request: ModelRequest, hooks: ModelHooks): Promise<ModelOutcome>;
  /** Context window in tokens; the smallest known for an unknown model (BED-022). */
  window(model: string): number;
}

/** A model whose cost is known. */
export interface PricedModel {
  readonly model: Model;
  readonly prices: (model: string) => Prices;
  /** Longest answer of a model, in tokens. */
  readonly longest: (model: string) => number;
}

/** A model that asks no provider. It answers if no model is configured, or if PARLEY_MODEL has its name. */
export interface ScriptedModel {
  readonly name: string;
  /** Told at the start and in each thread, because people expect another one. */
  readonly notice: string;
  readonly create: (clock: Clock) => Promise<Model>;
}
