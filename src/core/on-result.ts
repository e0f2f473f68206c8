/**
 * A tool use came back (BED-004), or safe mode held it before it began (Phase 5). What comes during a stop is
 * replaced by the synthetic result (C3).
 */

import type { Event } from "./event.ts";
import { ask, proceed, release, result } from "./round.ts";
import { effectivePermission, type State } from "./state.ts";
import { refused } from "./step.ts";
import { finishStop } from "./on-stop.ts";
import type { Transition } from "./step.ts";

export const ran = (state: State, event: Event & { kind: "ran" }): Transition => {
  const { phase } = state;
  const background = state.background || event.background;
  if (phase.kind === "stopping" && phase.effect === event.by) {
    return finishStop({ ...state, background }, phase, event.at);
  }
  if (phase.kind !== "running" || phase.effect !== event.by) return refused("stale");
  const outcome = { kind: "ran", message: event.message, isError: event.isError } as const;
  const entry = result(state, event.at, phase.call, outcome);
  const pending = { message: phase.message, calls: phase.rest, notes: phase.notes };
  return proceed({ ...state, background }, pending, event.at, [entry]);
};

export const blocked = (state: State, event: Event & { kind: "blocked" }): Transition => {
  const { phase } = state;
  if (phase.kind === "stopping" && phase.effect === event.by) return finishStop(state, phase, event.at);
  if (phase.kind !== "running" || phase.effect !== event.by) return refused("stale");
  const { call, message, rest, notes } = phase;
  const categories = event.categories.filter((category) => !state.grants.includes(category));
  // Granted, switched off or tightened meanwhile: the gate looks again at what holds now.
  if (categories.length === 0 || !state.safeMode || effectivePermission(state) === "restricted") {
    return release(state, { call, rest, notes, question: { message } }, [], { grants: state.grants });
  }
  const { shown, fingerprint } = event;
  const question = { kind: "danger", categories, shown, fingerprint } as const;
  return ask(state, call, { message, calls: rest, notes }, event.at, [], question);
};
