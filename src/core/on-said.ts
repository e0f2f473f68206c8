/** A person says something, or asks for another try (BED-002, BED-006.4). */

import type { Event } from "./event.ts";
import { busyRefusal } from "./refusal.ts";
import type { State } from "./state.ts";
import { beginTurn, entry, refused, think } from "./step.ts";
import type { Transition } from "./step.ts";
import type { Speaker } from "./words.ts";

export const said = (state: State, event: Event & { kind: "said" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refused(busy);
  if (!mayBegin(state, event.speaker)) return refused("not_confined");
  const { message, speaker, images, at } = event;
  const begun = beginTurn(state, speaker, at);
  return think(begun, [entry(begun, at, { kind: "said", message, speaker, images })]);
};

export const retried = (state: State, event: Event & { kind: "retried" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refused(busy);
  if (!mayRetry(state)) return refused("no_op");
  if (!mayBegin(state, event.speaker)) return refused("not_confined");
  return think(beginTurn(state, event.speaker, event.at), []);
};

/** A turn that failed or was interrupted left the transcript waiting for an answer. */
export const mayRetry = (state: State): boolean =>
  state.phase.kind === "failed" || (state.phase.kind === "idle" && state.turn.end?.why === "interrupted");

/** D3: where the kernel cannot hold Restricted, a turn that only Restricted would allow does not begin. */
const mayBegin = (state: State, speaker: Speaker): boolean =>
  speaker.mayDrive || state.confinement === "enforced";
