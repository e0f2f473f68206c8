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

const ended = (was: AwaitingApproval, event: Event, actor: PersonId | null): QuestionChange => {
  const { id: question } = was.question;
  const { at } = event;
  if (event.kind === "decided")
    return { kind: "decided", question, choice: event.choice, by: event.by.id, at };
  // A message ends no other question than the model's, which it answers.
  if (event.kind === "said") return { kind: "decided", question, choice: "reply", by: event.speaker.id, at };
  return { kind: "withdrawn", question, by: actor ?? "parley:host", at };
};

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
