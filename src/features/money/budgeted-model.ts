/** A model that charges every request to budgets; a request that no budget covers is not sent. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Model, ModelOutcome, ModelRequest } from "../../ports/model.ts";
import type { MicroUsd, Prices, SpendingStore } from "../../ports/money.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import type { BudgetGate } from "./budgets.ts";
import { UNKNOWN_AMOUNT } from "./money-text.ts";
import type { Prefix } from "../../ports/conversation.ts";
import type { PromptBlock, PromptMessage } from "../../thread/prompt.ts";

/** Time that a provider caches a request, minus the time that a request may take to arrive. */
const CACHED: Millis = 4.5 * 60_000;
const REMEMBERED = 10_000;

interface BudgetedModelDeps {
  readonly model: Model;
  readonly budgets: Pick<BudgetGate, "admit">;
  readonly purse: Pick<SpendingStore, "account">;
  readonly prices: (model: string) => Prices;
  readonly longest: (model: string) => number;
  readonly clock: Pick<Clock, "now">;
}

export const createBudgetedModel = (deps: BudgetedModelDeps): Model => {
  const { model, budgets, purse, prices, longest, clock } = deps;
  const warm = createLruCache<Millis>(REMEMBERED);

  const isWarm = (request: ModelRequest): boolean =>
    clock.now() - (warm.get(keyOf(request)) ?? -Infinity) < CACHED;

  return {
    ...model,
    respond: async (request, hooks) => {
      const account = purse.account(request.conversation);
      if (account === null) return { kind: "failed", failure: UNKNOWN_AMOUNT };
      const { tokens, known } = sizeOf(request, account.context);
      const admission = await budgets.admit({
        account,
        prices: prices(request.model),
        tokens,
        cached: isWarm(request) ? known : 0,
        longest: Math.min(longest(request.model), request.maxTokens ?? Infinity),
      });
      if (admission.kind === "refused") return { kind: "failed", failure: admission.failure };
      if (hooks.signal.aborted) {
        admission.settle(0);
        return { kind: "aborted" };
      }
      const outcome = await model.respond({ ...request, maxTokens: admission.maxTokens }, hooks);
      admission.settle(costOf(outcome, admission.input));
      if (outcome.kind === "answered") warm.set(keyOf(request), clock.now());
      return outcome;
    },
  };
};

const keyOf = ({ conversation, model, prefix }: ModelRequest): `${ConversationId} ${string}` =>
  `${conversation} ${model} ${prefix.hash}`;

/** An aborted request costs at least its input if the provider had not counted yet; a failed request costs nothing. */
const costOf = ({ kind, usage }: ModelOutcome, input: MicroUsd): MicroUsd =>
  usage?.costMicroUsd ?? (kind === "aborted" ? input : 0);

/** Bytes of JSON per token; code and prose have more. */
const BYTES = 3;
/** Tokens of the largest picture that is sent: 1568 × 1568 pixels, 750 pixels per token. */
const PICTURE = 3_300;

interface Size {
  readonly tokens: number;
  /** Tokens that were part of the conversation's last request or its answer. */
  readonly known: number;
}

/**
 * Estimates the size of a request, rather too high than too low. `context`: tokens of the last response and its request, which
 * included all messages except the newest; 0 before the first response.
 */
const sizeOf = (
  { messages, prefix }: { readonly messages: readonly PromptMessage[]; readonly prefix: Prefix },
  context: number,
): Size => {
  const newest = messages.at(-1);
  if (context > 0 && newest !== undefined) return { tokens: context + tokensOf(newest), known: context };
  const whole = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  return { tokens: whole + textTokens(prefix.system) + textTokens(JSON.stringify(prefix.tools)), known: 0 };
};

const tokensOf = ({ content }: PromptMessage): number =>
  content.reduce((sum, block) => sum + blockTokens(block), 0);

const blockTokens = (block: PromptBlock): number => {
  switch (block.kind) {
    case "text":
      return textTokens(block.text);
    case "toolUse":
      return textTokens(JSON.stringify(block.input ?? null));
    case "toolResult":
      return textTokens(block.text) + block.images.length * PICTURE;
    case "image":
      return PICTURE;
    case "opaque":
      return textTokens(JSON.stringify(block.raw ?? null));
  }
};

const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);
