/** Review of an answer before it is posted. If people read a different text, the model is informed. */

import type { Event } from "./event.ts";
import type { MessageId, Millis } from "./id.ts";
import { type AwaitingApproval, askOf, type State } from "./state.ts";
import { askByItself, endTurn, entryAt, noteEntry, noticeEntry, refusedStep, step } from "./step.ts";
import type { Step, Transition } from "./step.ts";
import type { Entry, Note } from "./transcript.ts";

/** `at`, `message`: time and id of the response that ends the turn. */
export const requestReview = (
  state: State,
  answered: { readonly at: Millis; readonly message: MessageId },
  append: readonly Entry[],
  place: string,
): Step => {
  const call = { id: `host-${state.seq}`, name: "post_answer", intent: "tool" } as const;
  return askByItself(state, answered, call, { kind: "answer", place }, append);
};

export const applyReview = (
  state: State,
  phase: AwaitingApproval,
  event: Event & { readonly kind: "decided" },
): Transition => {
  const { at, by, comment, choice } = event;
  if (choice === "edit" && comment === null) return refusedStep("no_words");
  const told: readonly Note[] =
    choice === "edit" && comment !== null
      ? [{ kind: "edited", message: comment }]
      : choice === "discard"
        ? ["discarded"]
        : [];
  const decision = { choice, by: by.id, at, comment };
  return step(endTurn(state, choice === "discard" ? "discarded" : "answered", at), [
    entryAt(state, at, { kind: "granted", call: phase.call, ask: askOf(phase.question), decision }),
    ...[...phase.notes, ...told].map((note) => noteEntry(state, at, note)),
  ]);
};

export const reportReviewDelay = (state: State, event: Event & { readonly kind: "unseen" }): Transition => {
  const { phase } = state;
  const { at, question: id, why, days } = event;
  if (phase.kind !== "awaitingApproval" || phase.question.id !== id || phase.question.kind !== "answer")
    return refusedStep("stale");
  const { told = [] } = phase.question;
  if (told.includes(why)) return refusedStep("no_op");
  const question = { ...phase.question, told: [...told, why] };
  return step({ ...state, phase: { ...phase, question } }, [
    noticeEntry(state, at, { kind: "unseen", why, days }),
  ]);
};
