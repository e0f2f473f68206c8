/** Another model may answer a failed turn: by a person's decision, or once per turn as the host's fallback. */

import { isFull, isNearFull } from "./context.ts";
import type { State } from "./state.ts";
import type { FailureKind, ModelChoice } from "./vocabulary.ts";

/** Returns the thread's own model, even while another model replaces it. */
export const ownModel = ({ model, context: { window }, turn }: State): ModelChoice =>
  turn.own ?? { name: model, window };

/** Also ends a temporary replacement. A warning that is no longer valid can be posted again. */
export const withModel = (state: State, to: ModelChoice): State => {
  const { own: _, ...turn } = state.turn;
  const { warning, ...context } = { ...state.context, window: to.window };
  const warned = context.warned && isNearFull(context);
  const stands = warned && warning !== undefined ? { warning } : {};
  return { ...state, turn, model: to.name, context: { ...context, warned, ...stands } };
};

export const withTemporaryModel = (state: State, to: ModelChoice): State => {
  const own = ownModel(state);
  const set = withModel(state, to);
  return { ...set, turn: { ...set.turn, own } };
};

/** Failures that another model may avoid: those of the provider, not the host's refusals or a too large request. */
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

export const canTakeOver = (state: State, other: ModelChoice): boolean =>
  other.name !== ownModel(state).name && !isFull({ ...state.context, window: other.window });

export const offeredModel = (state: State): ModelChoice | null => {
  const { phase } = state;
  return phase.kind === "failed" && phase.other !== undefined && canTakeOver(state, phase.other)
    ? phase.other
    : null;
};
