import type { ConversationId, Millis } from "../machine/id.ts";
import type { Failure, StopReason, Usage } from "../machine/vocabulary.ts";
import type { AnswerBlock, PromptMessage } from "../thread/prompt.ts";
import type { Prefix } from "./conversation.ts";
import type { Clock } from "./host.ts";
import type { Prices } from "./money.ts";

export interface ModelRequest {
  readonly conversation: ConversationId;
  readonly model: string;
  readonly prefix: Prefix;
  readonly messages: readonly PromptMessage[];
  /** Maximum length of the answer that the budget covers, in tokens; absent if only the model limits it. */
  readonly maxTokens?: number;
}

export interface ModelHooks {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** Returns the time for which nobody sees newer text. Absent if text is always of use. */
  readonly unseenFor?: () => Millis;
  /** Called with true after a minute without text, and with false when text arrives again. */
  readonly onSilent?: (silent: boolean) => void;
}

export type ModelOutcome =
  | {
      readonly kind: "answered";
      /** Contains tool uses only if `stop` is `tools`. */
      readonly blocks: readonly AnswerBlock[];
      readonly stop: StopReason;
      readonly usage: Usage;
      /** Set if the provider reported no usage; `usage` is then estimated from the sent and received text. */
      readonly estimated?: true;
    }
  /** `usage`: as reported by the provider before the end; absent if it reported none. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage?: Usage }
  | { readonly kind: "aborted"; readonly usage?: Usage };

export interface ModelNames {
  /** Models that the operator lists, the default first. */
  readonly all: readonly string[];
  /** Whether a model is available, which includes models outside of the list. */
  readonly knows: (name: string) => boolean;
  /** Model that answers automatically if another one fails; absent if there is none. */
  readonly fallback?: string;
  /** Model for first answers, after which the default model can be asked; absent if the default answers at once. */
  readonly first?: string;
  /** Model of sub-agents whose call names none; the conversation's model if absent. */
  readonly agents?: string;
  /** Model for summaries; the conversation's model if absent. */
  readonly summaries?: string;
}

export interface Model {
  /** Makes one attempt; the core does the retries (BED-006). */
  respond(request: ModelRequest, hooks: ModelHooks): Promise<ModelOutcome>;
  /** Returns the context window in tokens; the smallest known window for an unknown model (BED-022). */
  window(model: string): number;
}

export interface PricedModel {
  readonly model: Model;
  readonly prices: (model: string) => Prices;
  /** Returns the maximum length of an answer, in tokens. */
  readonly longest: (model: string) => number;
}

/** A model without a provider. It answers if no model is configured, or if PARLEY_MODEL is its name. */
export interface ScriptedModel {
  readonly name: string;
  /** Displayed at the start and in each thread, because people expect a real model. */
  readonly notice: string;
  readonly create: (clock: Clock) => Promise<Model>;
  /** Returns messages that the script understands next, after the person's last message; empty before the first. */
  readonly next?: (last: string) => readonly string[];
}
