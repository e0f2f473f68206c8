/** Reasons why an event changed nothing. Each text says what to do next. */

import { english, type Say, type Sentence } from "../i18n/say.ts";
import type { State } from "./state.ts";

export const REFUSALS = [
  "agent_busy",
  "awaiting_approval",
  "answer_held",
  "answer_awaited",
  "cancellation_in_progress",
  "not_confined",
  "not_allowed",
  "not_owner",
  "not_asked",
  "already_decided",
  "wrong_choice",
  "no_words",
  "unknown_mode",
  "already_unrestricted",
  "no_unrestricted",
  "may_not_drive",
  "paused",
  "sub_agent",
  "already_restricted",
  "not_available",
  "context_exhausted",
  "summarizing",
  "already_continued",
  "already_waiting",
  "too_many_waiting",
  "not_waiting",
  "archived",
  "left",
  "no_op",
  /** The answer belongs to an effect that is no longer awaited. */
  "stale",
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Linux versions that can enforce Restricted, as shown to users (D26). */
export const KERNEL_NEEDS =
  "Linux 5.13 or newer with user namespaces or started as root, else Linux 6.12 or newer";

export const refusalText = (refusal: Refusal, say: Say = english): string =>
  say.filled(TEXTS[refusal], { needs: KERNEL_NEEDS });

const TEXTS: Readonly<Record<Refusal, Sentence>> = {
  agent_busy:
    "The agent is busy. Add this message to its turn, let the message wait, or stop the agent first.",
  awaiting_approval:
    "I am waiting for a decision on my question above, so I did not start on yours. Use its buttons, or Stop.",
  answer_held:
    "A maintainer is still reviewing the previous answer, so I did not start on your question. Ask it once that answer is posted, or use *Stop and send this* to withdraw that answer and ask yours.",
  answer_awaited:
    "I am waiting for an answer to my question above, so I did not start on yours. The person who asked, or an approver, can answer it.",
  cancellation_in_progress: "Cancellation in progress. Send the message again in a moment.",
  not_confined:
    "The sandbox is not available on this host, so only people who may work Unrestricted can use this conversation. Restricted mode needs {needs}.",
  not_allowed: "You can't decide this. Ask an approver.",
  not_owner: "You can't decide this: the change needs an approver who owns all of its files.",
  not_asked: "You can't answer this. The person who asked, or an approver, can.",
  already_decided: "This question has already been decided.",
  wrong_choice: "Your reply is not an answer to this question. Use the question's buttons.",
  no_words: "Write your text for this answer, then use its button again.",
  unknown_mode: "There is no such work mode. `/mode` lists the existing ones.",
  already_unrestricted: "The conversation is already Unrestricted.",
  no_unrestricted:
    "This host refuses Unrestricted commands, so approving would have no effect. The operator can allow user namespaces, start Parley as root, or accept unconfined writes with PARLEY_ALLOW_T2_WRITES=on; `npm run doctor` says what is missing.",
  may_not_drive:
    "You have no write permission here. Say what you want changed, or ask an approver to request the change.",
  paused:
    "Several requests were denied in the past day, so I have stopped asking. An approver can use *Ask again*, or ask for the change directly.",
  sub_agent:
    "This conversation is a sub-agent. Write in the thread that started the sub-agent; Stop in that thread also stops its sub-agents.",
  already_restricted: "The conversation is already Restricted.",
  not_available: "Restricted mode is not available on this host: it needs {needs}.",
  context_exhausted:
    "Context exhausted: this conversation takes no more messages. It continues in a new thread: use the buttons or the link below its summary.",
  summarizing:
    "I am writing the summary for a new thread, so I did not read your message. Send your message in the new thread.",
  already_continued: "This conversation already continues in a new thread: its link is below the summary.",
  already_waiting: "Your earlier message still waits. Remove that message before another one can wait.",
  too_many_waiting: "Too many messages wait here already. Send yours again when this turn is over.",
  not_waiting: "This message no longer waits.",
  archived:
    "This conversation was archived, so I did not start on the message that waited. Send it again to go on here.",
  left: "You can no longer write here, so I did not start on your message that waited.",
  no_op: "There is nothing to do.",
  stale: "This action is no longer expected.",
};

/** Returns the refusal of a message that arrives in a phase that cannot accept it (BED-002, C7, DS-canc). */
export const busyRefusal = (phase: State["phase"]): Refusal | null => {
  if (phase.kind !== "awaitingApproval") return BUSY[phase.kind];
  const { kind } = phase.question;
  return kind === "answer" ? "answer_held" : kind === "person" ? "answer_awaited" : BUSY[phase.kind];
};

const BUSY: Readonly<Record<State["phase"]["kind"], Refusal | null>> = {
  idle: null,
  failed: null,
  ended: null,
  thinking: "agent_busy",
  running: "agent_busy",
  awaitingAgents: "agent_busy",
  awaitingApproval: "awaiting_approval",
  stopping: "cancellation_in_progress",
  summarizing: "summarizing",
  exhausted: "context_exhausted",
};
