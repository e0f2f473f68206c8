import { createHash } from "node:crypto";
import type { Event } from "../../machine/event.ts";
import type { PersonId } from "../../machine/id.ts";
import type { AwaitingApproval, State } from "../../machine/state.ts";
import type { RandomId } from "../../ports/host.ts";
import type { QuestionChange } from "../../ports/questions.ts";
import { canonical } from "../../text/canonical.ts";

export const questionChanges = (
  before: State,
  event: Event,
  after: State,
  actor: PersonId | null,
  randomId: RandomId,
): readonly QuestionChange[] => {
  const was = before.phase.kind === "awaitingApproval" ? before.phase : null;
  const is = after.phase.kind === "awaitingApproval" ? after.phase : null;
  if (was?.question.id === is?.question.id) return [];
  return [
    ...(was === null ? [] : [ended(was, event, actor)]),
    ...(is === null ? [] : [asked(after, is, randomId)]),
  ];
};

const ended = (was: AwaitingApproval, event: Event, actor: PersonId | null): QuestionChange =>
  event.kind === "decided"
    ? {
        kind: "decided",
        question: was.question.id,
        choice: event.choice,
        by: event.by.id,
        at: event.at,
      }
    : { kind: "withdrawn", question: was.question.id, by: actor ?? "parley:host", at: event.at };

const asked = (state: State, is: AwaitingApproval, randomId: RandomId): QuestionChange => {
  // Stored words never change, so their id represents them.
  const shown = canonical({ conversation: state.id, question: is.question, call: is.call });
  return {
    kind: "asked",
    wire: randomId(),
    question: is.question.id,
    type: is.question.kind,
    at: is.question.askedAt,
    shown,
    fingerprint: createHash("sha256").update(shown).digest("hex"),
  };
};
