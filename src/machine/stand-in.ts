/**
 * Which model answers. Another one may stand in for a turn, after a failure: by a person's word, or as the host's fallback,
 * once a turn. How full the conversation is follows the model at hand.
 */

import { isFull, isNearFull } from "./context.ts";
import type { State } from "./state.ts";
import type { FailureKind, ModelChoice } from "./words.ts";

/** The model that the thread has, whoever stands in for it. */
export const ownModel = ({ model, context: { window }, turn }: State): ModelChoice =>
  turn.own ?? { name: model, window };

/** For good: nobody stands in any more. A warning that no longer holds is given anew. */
export const withModel = (state: State, to: ModelChoice): State => {
  const { own: _, ...turn } = state.turn;
  const { warning, ...context } = { ...state.context, window: to.window };
  const warned = context.warned && isNearFull(context);
  const stands = warned && warning !== undefined ? { warning } : {};
  return { ...state, turn, model: to.name, context: { ...context, warned, ...stands } };
};

/** For the turn. */
export const withTemporaryModel = (state: State, to: ModelChoice): State => {
  const own = ownModel(state);
  const set = withModel(state, to);
  return { ...set, turn: { ...set.turn, own } };
};

/** What another model may do better: the provider's trouble, not the host's word and not the size of the request. */
const ELSEWHERE: ReadonlySet<FailureKind> = new Set([
  "auth",
  "rate_limit",
  "overloaded",
  "network",
  "invalid_request",
  "billing",
  "not_found",
  "unknown",
]);

export const mayHelp = (kind: FailureKind, other: ModelChoice | undefined): other is ModelChoice =>
  other !== undefined && ELSEWHERE.has(kind);

/** It is another one than the thread's, and what was said has room in it. */
export const canTakeOver = (state: State, other: ModelChoice): boolean =>
  other.name !== ownModel(state).name && !isFull({ ...state.context, window: other.window });

/** Whom a person may let answer the failed turn; null where there is nobody. */
export const offeredModel = (state: State): ModelChoice | null => {
  const { phase } = state;
  return phase.kind === "failed" && phase.other !== undefined && canTakeOver(state, phase.other)
    ? phase.other
    : null;
};
