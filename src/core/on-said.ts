/** A person says something, or asks for another try (BED-002, BED-006.4). */

import { isFull } from "./context.ts";
import { summarize } from "./continuation.ts";
import type { Event } from "./event.ts";
import { busyRefusal } from "./refusal.ts";
import { mayBegin, type State } from "./state.ts";
import { beginTurn, entry, refused, think } from "./step.ts";
import type { Transition } from "./step.ts";
import { withQuoted } from "./untrusted.ts";

export const said = (state: State, event: Event & { kind: "said" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refused(busy);
  if (!mayBegin(state, event.speaker)) return refused("not_confined");
  const { message, speaker, images, quoted, at } = event;
  const begun = beginTurn(withQuoted(state, quoted), speaker, at);
  return think(begun, [entry(begun, at, { kind: "said", message, speaker, images })]);
};

export const retried = (state: State, event: Event & { kind: "retried" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refused(busy);
  if (!mayRetry(state)) return refused("no_op");
  if (!mayBegin(state, event.speaker)) return refused("not_confined");
  const begun = beginTurn(state, event.speaker, event.at);
  return isFull(state.context) ? summarize(begun, [], []) : think(begun, []);
};

/** A turn that failed or was interrupted left the transcript waiting for an answer. */
export const mayRetry = (state: State): boolean =>
  state.phase.kind === "failed" || (state.phase.kind === "idle" && state.turn.end?.why === "interrupted");
