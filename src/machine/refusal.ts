/** Reasons why an event changed nothing, and the sentence for people. Every sentence says what to do next. */

import { english, type Say, type Sentence } from "../i18n/say.ts";
import type { State } from "./state.ts";

export const REFUSALS = [
  "agent_busy",
  "awaiting_approval",
  /** A maintainer reviews the answer to the previous question. */
  "answer_held",
  "cancellation_in_progress",
  "not_confined",
  "not_allowed",
  /** Another person owns a file of the change. */
  "not_owner",
  "already_decided",
  /** The question does not offer this answer. */
  "wrong_choice",
  /** The answer needs text and has none. */
  "no_words",
  "unknown_mode",
  "already_unrestricted",
  "no_unrestricted",
  /** The requester has no write permission here. */
  "may_not_drive",
  /** Several requests were denied within a day. */
  "paused",
  /** People cannot write to sub-agents. */
  "sub_agent",
  "already_restricted",
  "not_available",
  /** The context is exhausted, and the conversation accepts no more messages (BED-021). */
  "context_exhausted",
  /** The summary for a new thread is being written. */
  "summarizing",
  /** Another thread already continues the conversation. */
  "already_continued",
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
  agent_busy: "The agent is busy. Stop it first, or use *Stop and send this*.",
  awaiting_approval:
    "I am waiting for an answer to my question above, so yours was not taken. Use its buttons, or Stop.",
  answer_held:
    "A maintainer looks at the answer to the question before, so yours was not taken yet. Ask it once that is posted; *Stop and send this* takes the other answer back and asks yours.",
  cancellation_in_progress: "Cancellation in progress. Send the message again in a moment.",
  not_confined:
    "The sandbox is not available on this host, so only people who may work Unrestricted can use this conversation. Restricted mode needs {needs}.",
  not_allowed: "You can't decide this. Ask somebody who may approve.",
  not_owner: "You can't decide this: the change needs an approver who owns all of its files.",
  already_decided: "This question has already been decided.",
  wrong_choice: "That is no answer to this question. Use its buttons.",
  no_words: "Write the words that go with this answer, and use its button again.",
  unknown_mode: "There is no such work mode. `/mode` lists those there are.",
  already_unrestricted: "The conversation is already Unrestricted.",
  no_unrestricted:
    "This host refuses Unrestricted commands, so an approval would give nothing. Its operator can allow user namespaces, start Parley as root, or accept it with PARLEY_ALLOW_T2_WRITES=on; `npm run doctor` says what is missing.",
  may_not_drive:
    "You may not have anything changed here. Say what you want, or ask somebody who may approve to say this.",
  paused:
    "Several requests were denied within a day, so no more are put before people. Somebody who may approve can end that with *Ask again*, or say this.",
  sub_agent: "This is a sub-agent. Write in the thread that started it; Stop there stops its sub-agents too.",
  already_restricted: "The conversation is already Restricted.",
  not_available: "Restricted mode is not available on this host: it needs {needs}.",
  context_exhausted:
    "Context exhausted: this conversation takes no more messages. It goes on in a new thread: use the buttons or the link below its summary.",
  summarizing:
    "I am writing the summary with which a new thread goes on, so this was not taken. Send it there.",
  already_continued: "This conversation goes on in a new thread already: its link stands below the summary.",
  no_op: "There is nothing to do.",
  stale: "This is no longer awaited.",
};

/** Returns the refusal of a message that arrives in a phase that cannot accept it (BED-002, C7, DS-canc). */
export const busyRefusal = (phase: State["phase"]): Refusal | null =>
  phase.kind === "awaitingApproval" && phase.question.kind === "answer" ? "answer_held" : BUSY[phase.kind];

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
