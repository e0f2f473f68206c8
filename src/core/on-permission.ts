/** Approve, Deny and Restrict: the only ways in which the permission changes (BED-015, BED-016, L3, L6). */

import type { Event } from "./event.ts";
import { APPROVED, DENIED, proceed, result } from "./round.ts";
import type { AwaitingApproval, State } from "./state.ts";
import { noteEntry, noticeEntry, refused, step } from "./step.ts";
import type { Entry, Outcome } from "./transcript.ts";
import type { Transition } from "./step.ts";

export const decided = (state: State, event: Event & { kind: "decided" }): Transition => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || phase.question.id !== event.question) {
    return refused("already_decided");
  }
  if (!event.by.mayApprove) return refused("not_allowed");
  return event.choice === "approve" ? approve(state, phase, event) : deny(state, phase, event);
};

/** Takes effect at once for every call not yet started; the running one finishes (C6). */
export const restricted = (state: State, event: Event & { kind: "restricted" }): Transition => {
  if (state.permission === "restricted") return refused("already_restricted");
  if (state.confinement === "unavailable") return refused("not_available");
  const { phase } = state;
  const notice = noticeEntry(state, event.at, { kind: "permission", to: "restricted", by: event.by });
  const effects = state.background ? [{ kind: "killBackground" } as const] : [];
  const tighter: State = { ...state, permission: "restricted", background: false };
  switch (phase.kind) {
    case "running":
    case "stopping":
    case "awaitingApproval":
      return step(
        { ...tighter, phase: { ...phase, notes: [...phase.notes, "downgraded"] } },
        [notice],
        effects,
      );
    case "idle":
    case "thinking":
    case "failed":
      return step(tighter, [notice, noteEntry(state, event.at, "downgraded")], effects);
  }
};

const approve = (state: State, phase: AwaitingApproval, event: Event & { kind: "decided" }): Transition => {
  const upgraded: State = { ...state, permission: "unrestricted" };
  const append: readonly Entry[] = [
    noticeEntry(state, event.at, { kind: "permission", to: "unrestricted", by: event.by.id }),
    result(state, event.at, phase.call, outcomeOf(APPROVED, event)),
  ];
  return goOn(upgraded, { ...phase, notes: [...phase.notes, "upgraded"] }, event, append);
};

const deny = (state: State, phase: AwaitingApproval, event: Event & { kind: "decided" }): Transition => {
  const denied: State = { ...state, turn: { ...state.turn, denied: true } };
  return goOn(denied, phase, event, [result(state, event.at, phase.call, outcomeOf(DENIED, event))]);
};

const goOn = (
  state: State,
  phase: AwaitingApproval,
  event: Event & { kind: "decided" },
  append: readonly Entry[],
): Transition =>
  proceed(
    state,
    { message: phase.question.message, calls: phase.rest, notes: phase.notes },
    event.at,
    append,
  );

const outcomeOf = (text: string, event: Event & { kind: "decided" }): Outcome => ({
  kind: "host",
  text,
  isError: event.choice === "deny",
  decision: { choice: event.choice, by: event.by.id, at: event.at, comment: event.comment },
});
