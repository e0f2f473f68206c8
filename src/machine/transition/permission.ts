/** A person tightens or loosens the conversation's permissions outside of a question (BED-016, L6, D13). */

import type { Event } from "../event.ts";
import type { Millis } from "../id.ts";
import { heldRoundOf, resumeHeldCall } from "../round.ts";
import type { State } from "../state.ts";
import { ownModel, withModel } from "../model-fallback.ts";
import { killBackground, noteEntry, noticeEntry, refusedStep, step } from "../step.ts";
import type { Step, Transition } from "../step.ts";
import type { Entry, Note } from "../transcript.ts";

/** Applies at once to every call that has not started yet. The running call finishes (C6). */
export const onRestricted = (state: State, event: Event & { kind: "restricted" }): Transition => {
  if (state.permission === "restricted") return refusedStep("already_restricted");
  if (state.confinement === "unavailable") return refusedStep("not_available");
  const { phase } = state;
  const notice = noticeEntry(state, event.at, { kind: "permission", to: "restricted", by: event.by });
  const effects = killBackground(state);
  const { online: _, ...offline } = state;
  const tighter: State = { ...offline, permission: "restricted", background: false };
  if (phase.kind === "awaitingApproval" && phase.question.kind === "danger") {
    // D13: the question is withdrawn, and the call runs within Restricted.
    const held = heldRoundOf({ ...phase, notes: [...phase.notes, "downgraded"] });
    return resumeHeldCall(tighter, held, event.at, [notice], { grants: state.grants }, effects);
  }
  return { ...onNoted(tighter, "downgraded", event.at, [notice]), effects };
};

/** No other function changes the mode (TUL-007, TUL-009). The permission never changes here (C25). */
export const onModeSet = (state: State, event: Event & { kind: "modeSet" }): Transition => {
  if (state.phase.kind === "exhausted") return refusedStep("context_exhausted");
  if (state.mode === event.mode) return refusedStep("no_op");
  const notice = noticeEntry(state, event.at, {
    kind: "mode",
    from: state.mode,
    to: event.mode,
    by: event.by,
  });
  const note: Note = { kind: "mode", mode: event.mode, message: event.prompt };
  const moded: State = { ...state, mode: event.mode };
  const { model } = event;
  const set = model === undefined ? moded : withModel(moded, model);
  return onNoted(set, note, event.at, [notice]);
};

/** Running work continues, and context usage is measured against the new window. */
export const onModelSet = (state: State, event: Event & { kind: "modelSet" }): Transition => {
  if (state.phase.kind === "exhausted") return refusedStep("context_exhausted");
  const { model, window, by } = event;
  if (!by.mayApprove) return refusedStep("not_allowed");
  const from = ownModel(state).name;
  if (from === model && state.model === model) return refusedStep("no_op");
  return step(withModel(state, { name: model, window }), [
    noticeEntry(state, event.at, { kind: "model", from, to: model, by: by.id }),
  ]);
};

export const onSafeModeSet = (state: State, event: Event & { kind: "safeModeSet" }): Transition => {
  if (!event.by.mayApprove) return refusedStep("not_allowed");
  if (state.phase.kind === "exhausted") return refusedStep("context_exhausted");
  if (state.safeMode === event.on) return refusedStep("no_op");
  return step({ ...state, safeMode: event.on }, [
    noticeEntry(state, event.at, { kind: "safeMode", on: event.on, by: event.by.id }),
  ]);
};

/** An empty list grants nothing (Phase 5, 3.4). */
export const onGranted = (state: State, event: Event & { kind: "granted" }): Transition => {
  if (!event.by.mayApprove) return refusedStep("not_allowed");
  if (state.phase.kind === "exhausted") return refusedStep("context_exhausted");
  const added = event.categories.filter((category) => !state.grants.includes(category));
  if (added.length === 0) return refusedStep("no_op");
  return step({ ...state, denials: [], grants: [...state.grants, ...new Set(added)] }, [
    noticeEntry(state, event.at, { kind: "grants", categories: [...new Set(added)], by: event.by.id }),
  ]);
};

/** During a round the note waits for the last result, because results come first in the next user message (C5). */
export const onNoted = (state: State, note: Note, at: Millis, append: readonly Entry[] = []): Step => {
  const { phase } = state;
  return "notes" in phase
    ? step({ ...state, phase: { ...phase, notes: [...phase.notes, note] } }, append)
    : step(state, [...append, noteEntry(state, at, note)]);
};
