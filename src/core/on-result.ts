/** A tool use came back (BED-004). A result that comes during a stop is replaced by the synthetic one (C3). */

import type { Event } from "./event.ts";
import { proceed, result } from "./round.ts";
import type { State } from "./state.ts";
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
