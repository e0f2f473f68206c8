/** What the source documents call an accepted event: the trace carries these names beside our own (D17). */

import type { Event } from "../machine/event.ts";
import type { State } from "../machine/state.ts";
import type { Ask } from "../machine/words.ts";

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

const ASKED: Readonly<Record<Ask["kind"], string>> = {
  upgrade: "ModeUpgradeRequested",
  danger: "approval_required",
  mode: "mode_change_proposed",
  write: "write_proposed",
  result: "result_proposed",
  answer: "answer_held",
};

const DENIED: Readonly<Record<Ask["kind"], string>> = {
  upgrade: "UserDenyUpgrade",
  danger: "approval_denied",
  mode: "mode_change_declined",
  write: "write_denied",
  result: "result_denied",
  answer: "answer_discarded",
};

const own = (before: State, event: Event): readonly string[] => {
  if (event.kind === "decided") return decidedLabels(before, event);
  // C7: a stop is a denial of what is asked, and then a cancel.
  if (event.kind === "stopped") return [...deniedLabels(before), "UserCancel"];
  if (event.kind === "ran") return (event.skipped ?? []).length === 0 ? [] : ["approval_skipped"];
  const name = NAMES.get(event.kind);
  return name === undefined ? [] : [name];
};

/** Of events that they name, whatever they bring. */
const NAMES: ReadonlyMap<Event["kind"], string> = new Map([
  ["restricted", "UserRequestDowngrade"],
  ["granted", "approval_granted"],
  ["continued", "UserTriggerContinuation"],
  ["summarized", "ContinuationResponse"],
  ["modeSet", "SetSessionMode"],
  ["agentReported", "SubAgentResult"],
]);

const deniedLabels = ({ phase }: State): readonly string[] =>
  phase.kind === "awaitingApproval" ? [DENIED[phase.question.kind]] : [];

const decidedLabels = (before: State, { choice }: Event & { kind: "decided" }): readonly string[] => {
  switch (choice) {
    case "approve":
      return [isAbout(before, "write") ? "write_approved" : "UserApproveUpgrade"];
    case "deny":
    case "stay":
      return deniedLabels(before);
    case "once":
    case "session":
      return [isAbout(before, "write") ? "write_approved" : "approval_granted"];
    case "switch":
    case "branch":
      return ["mode_change_confirmed"];
    case "apply":
    case "pull_request":
      return ["result_approved"];
    case "changes":
      return ["changes_requested"];
    case "send":
    case "edit":
      return ["answer_sent"];
    case "discard":
      return deniedLabels(before);
  }
};

const isAbout = ({ phase }: State, kind: Ask["kind"]): boolean =>
  phase.kind === "awaitingApproval" && phase.question.kind === kind;
