/**
 * Words were taken back (D8): the transcript keeps their places. It is taken only while nothing runs, so that no
 * request in flight can bring them back; who erases stops the turn first.
 */

import { busyRefusal } from "../refusal.ts";
import type { State } from "../state.ts";
import { refused, step } from "../step.ts";
import type { Transition } from "../step.ts";

export const erased = (state: State): Transition => {
  const busy = busyRefusal(state.phase);
  return busy === null || busy === "context_exhausted" ? step(state) : refused(busy);
};
