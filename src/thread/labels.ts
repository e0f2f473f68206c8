/** Names of events in the source documents, which the trace contains in addition to Parley's own (D17). */

import type { Event } from "../machine/event.ts";
import type { State } from "../machine/state.ts";
import type { QuestionSpec, Choice } from "../machine/vocabulary.ts";

export const labels = (before: State, event: Event, after: State): readonly string[] => {
  const asked =
    after.phase.kind === "awaitingApproval" &&
    (before.phase.kind !== "awaitingApproval" || before.phase.question.id !== after.phase.question.id)
      ? after.phase.question.kind
      : null;
  const spawned = after.phase.kind === "awaitingAgents" && before.phase.kind !== "awaitingAgents";
  return [
    ...own(before, event),
    ...(asked === null ? [] : [ASKED[asked]]),
    ...(spawned ? ["SpawnSubAgents"] : []),
  ];
};

const ASKED: Readonly<Record<QuestionSpec["kind"], string>> = {
  upgrade: "ModeUpgradeRequested",
  danger: "approval_required",
  mode: "mode_change_proposed",
  write: "write_proposed",
  result: "result_proposed",
  answer: "answer_held",
  person: "person_asked",
};

const DENIED: Readonly<Record<QuestionSpec["kind"], string>> = {
  upgrade: "UserDenyUpgrade",
  danger: "approval_denied",
  mode: "mode_change_declined",
  write: "write_denied",
  result: "result_denied",
  answer: "answer_discarded",
  person: "person_question_withdrawn",
};

const own = (before: State, event: Event): readonly string[] => {
  if (event.kind === "decided") return decidedLabels(before, event);
  // C7: a stop denies the pending question, then cancels.
  if (event.kind === "stopped") return [...deniedLabels(before), "UserCancel"];
  if (event.kind === "said") return before.phase.kind === "awaitingApproval" ? [CHOSEN.reply] : [];
  if (event.kind === "ran") return (event.skipped ?? []).length === 0 ? [] : ["approval_skipped"];
  return NAMES.get(event.kind) ?? [];
};

/** The source documents name no other events. */
const NAMES: ReadonlyMap<Event["kind"], readonly string[]> = new Map([
  ["restricted", ["UserRequestDowngrade"]],
  ["granted", ["approval_granted"]],
  ["continued", ["UserTriggerContinuation"]],
  ["summarized", ["ContinuationResponse"]],
  ["modeSet", ["SetSessionMode"]],
  ["agentReported", ["SubAgentResult"]],
]);

const deniedLabels = ({ phase }: State): readonly string[] =>
  phase.kind === "awaitingApproval" ? [DENIED[phase.question.kind]] : [];

const decidedLabels = (before: State, { choice }: Event & { kind: "decided" }): readonly string[] => {
  if (choice === "leave_out") return [CHOSEN.leave_out];
  const named = CHOSEN[choice];
  if (named === "denied") return deniedLabels(before);
  const { phase } = before;
  const isWrite = phase.kind === "awaitingApproval" && phase.question.kind === "write";
  return [isWrite ? "write_approved" : named];
};

/** `denied`: the name depends on the question. */
const CHOSEN: Readonly<Record<Choice, string>> = {
  approve: "UserApproveUpgrade",
  request_changes: "write_approved",
  leave_out: "review_comment_removed",
  once: "approval_granted",
  session: "approval_granted",
  switch: "mode_change_confirmed",
  branch: "mode_change_confirmed",
  apply: "result_approved",
  pull_request: "result_approved",
  changes: "changes_requested",
  send: "answer_sent",
  edit: "answer_sent",
  choose: "person_answered",
  reply: "person_answered",
  deny: "denied",
  stay: "denied",
  discard: "denied",
};
