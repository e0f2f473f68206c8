/** A model whose every request is paid for by somebody: what no budget covers is not sent. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Model, ModelOutcome, ModelRequest } from "../../ports/model.ts";
import type { MicroUsd, Prices, Spending } from "../../ports/money.ts";
import { createRemembered } from "../../text/remembered.ts";
import type { BudgetGate } from "./budgets.ts";
import { sizeOf } from "./estimate.ts";
import { UNKNOWN } from "./money-text.ts";

/** How long a provider keeps what was asked, less what a request may take to reach it. */
const CACHED: Millis = 4.5 * 60_000;
/** Conversations of which that is known. */
const REMEMBERED = 10_000;

interface BudgetedModelDeps {
  readonly model: Model;
  readonly budgets: Pick<BudgetGate, "admit">;
  readonly purse: Pick<Spending, "account">;
  readonly prices: (model: string) => Prices;
  readonly longest: (model: string) => number;
  readonly clock: Pick<Clock, "now">;
}

export const createBudgetedModel = (deps: BudgetedModelDeps): Model => {
  const { model, budgets, purse, prices, longest, clock } = deps;
  /** When it was asked last. */
  const warm = createRemembered<Millis>(REMEMBERED);

  const isWarm = (request: ModelRequest): boolean =>
    clock.now() - (warm.get(keyOf(request)) ?? -Infinity) < CACHED;

  return {
    ...model,
    respond: async (request, hooks) => {
      const account = purse.account(request.conversation);
      if (account === null) return { kind: "failed", failure: UNKNOWN };
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

/** A request that was broken off is charged its input, where the provider had not counted yet; one that failed is not. */
const costOf = ({ kind, usage }: ModelOutcome, input: MicroUsd): MicroUsd =>
  usage?.costMicroUsd ?? (kind === "aborted" ? input : 0);
