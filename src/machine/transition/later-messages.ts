/**
 * Messages that people send while the agent works (D51). An added message is part of the running turn and of its next request. A
 * waiting message starts a turn of its own. Neither exists without a click, and each is used at most once.
 */

import type { Event } from "../event.ts";
import type { MessageId, Millis } from "../id.ts";
import { needsNetworkApproval } from "../provenance.ts";
import { busyRefusal, type Refusal } from "../refusal.ts";
import { askQuestion, heldRoundOf, hostError, result, resumeHeldCall, runNextCall } from "../round.ts";
import {
  askOf,
  type AwaitingApproval,
  effectivePermission,
  inFlight,
  isCostly,
  isWithoutCall,
  mayBegin,
  speakerWithRightsOf,
  type State,
} from "../state.ts";
import { addedEntries, beginThinking, noticeEntry, refusedStep, type Step, step } from "../step.ts";
import type { Transition } from "../step.ts";
import { begin, onMessageReceived, withFilesDuringTurn } from "./message-received.ts";
import type { LaterMessage } from "../vocabulary.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

/** Largest number of messages in each list, so that the state stays small. */
const MOST = 20;
const ADDED_TO =
  "Not asked: a person without write permission has added a message to this turn, so this request may have changed. Read the message, then ask again if you still need this.";

/** Why no message can be added now; null if one can. */
export const addRefusal = ({ phase }: Pick<State, "phase">): Refusal | null => {
  if (phase.kind === "thinking" || phase.kind === "running" || phase.kind === "awaitingAgents") return null;
  // No request of the turn follows these questions.
  if (phase.kind === "awaitingApproval" && !isWithoutCall(askOf(phase.question))) return null;
  return busyRefusal(phase) ?? "no_op";
};

/** Why no message can wait; null if a message waits or, in an idle conversation, starts at once. */
export const queueRefusal = ({ phase }: Pick<State, "phase">): Refusal | null =>
  phase.kind === "summarizing" || phase.kind === "exhausted" ? busyRefusal(phase) : null;

export const onAdded = (state: State, event: Event & { kind: "added" }): Transition => {
  const { kind: _, ...message } = event;
  const { turn, phase } = state;
  const { speaker } = message;
  const { added = [], authors = [] } = turn;
  const refusal = addRefusal(state);
  if (refusal !== null) return refusedStep(refusal);
  if (!mayBegin(state, speaker)) return refusedStep("not_confined");
  if (added.length >= MOST) return refusedStep("too_many_waiting");
  const next: State = {
    ...withFilesDuringTurn(state, message),
    turn: {
      ...turn,
      speaker: speakerWithRightsOf(state, speaker),
      added: [...added, message],
      authors: [...new Set([...authors, speaker.id])],
    },
  };
  return phase.kind === "awaitingApproval" ? withCurrentQuestion(state, next, phase, event) : step(next);
};

/** Keeps the pending question unless the message changes the request or the untrusted content that its card names. */
const withCurrentQuestion = (
  before: State,
  state: State,
  phase: AwaitingApproval,
  { at, speaker }: Event & { kind: "added" },
): Step => {
  const { question, call } = phase;
  const held = heldRoundOf(phase);
  // The approver would become the speaker without having seen the message (D39).
  if (question.kind === "upgrade" && !speaker.mayDrive)
    return runNextCall(state, held, at, [result(state, at, call, hostError(ADDED_TO))]);
  const isLowered = effectivePermission(state) !== effectivePermission(before);
  if (question.kind === "danger" && isLowered)
    return resumeHeldCall(state, held, at, [], { grants: state.grants });
  // A question of the agent names no content that was read.
  const isNew = needsNetworkApproval(omitUndefined({ shown: before.untrusted, untrusted: state.untrusted }));
  return !isNew || question.kind === "person"
    ? step(state)
    : askQuestion(state, call, held, at, [], askOf(question));
};

export const onRenewed = (state: State, event: Event & { kind: "renewed" }): Transition => {
  const thinking = inFlight(state, event.by);
  return thinking?.kind === "thinking" && state.turn.added !== undefined
    ? beginThinking(state, [], thinking.parts)
    : refusedStep("stale");
};

export const onQueued = (state: State, event: Event & { kind: "queued" }): Transition => {
  // The channel's rule may have changed when the message starts.
  const { kind: _, reviewed: __, ...message } = event;
  const { waiting = [] } = state;
  if (busyRefusal(state.phase) === null) return onMessageReceived(state, { ...event, kind: "said" });
  const refusal = queueRefusal(state);
  if (refusal !== null) return refusedStep(refusal);
  if (!mayBegin(state, message.speaker)) return refusedStep("not_confined");
  if (waiting.some(({ speaker }) => speaker.id === message.speaker.id)) return refusedStep("already_waiting");
  if (waiting.length >= MOST) return refusedStep("too_many_waiting");
  return step({ ...state, waiting: [...waiting, message] });
};

export const onUnqueued = (state: State, { message, by }: Event & { kind: "unqueued" }): Transition => {
  const found = laterMessages(state).find((one) => one.message === message);
  if (found === undefined) return refusedStep("not_waiting");
  if (found.speaker.id !== by.id && !by.mayApprove) return refusedStep("not_allowed");
  return step(withoutMessages(state, [message]));
};

export const onWaitingStarted = (
  state: State,
  { at, message, speaker, reviewed }: Event & { kind: "waitingStarted" },
): Transition => {
  const first = startable(state);
  const isOver = state.phase.kind === "exhausted";
  if (first?.message !== message || isOver || !mayBegin(state, speaker)) return refusedStep("stale");
  const said = { ...first, speaker, ...omitUndefined({ reviewed }) };
  return begin(withoutMessages(state, [message]), said, at);
};

/** The host refuses in any phase, because the conversation may be archived or removed during a turn. */
export const onWaitingRefused = (
  state: State,
  { message }: Event & { kind: "waitingRefused" },
): Transition =>
  state.waiting?.some((one) => one.message === message) === true
    ? step(withoutMessages(state, [message]))
    : refusedStep("stale");

/** Whether no request contains any of these messages, so that they can be erased without ending the turn. */
export const areUnread = (state: State, messages: readonly MessageId[]): boolean => {
  const later = laterMessages(state).map(({ message }) => message);
  return messages.every((message) => later.includes(message));
};

export const withoutMessages = (state: State, messages: readonly MessageId[]): State => {
  const { waiting, turn, ...rest } = state;
  const { added, ...others } = turn;
  const isLeft = ({ message }: LaterMessage): boolean => !messages.includes(message);
  return {
    ...rest,
    ...nonEmpty("waiting", waiting?.filter(isLeft)),
    turn: { ...others, ...nonEmpty("added", added?.filter(isLeft)) },
  };
};

const nonEmpty = <K extends string>(
  name: K,
  messages: readonly LaterMessage[] = [],
): Partial<Record<K, readonly LaterMessage[]>> => {
  const found: Partial<Record<K, readonly LaterMessage[]>> = {};
  if (messages.length > 0) found[name] = messages;
  return found;
};

export const laterMessages = ({ waiting = [], turn }: State): readonly LaterMessage[] => [
  ...waiting,
  ...(turn.added ?? []),
];

/**
 * The waiting message that may start now, or that must be refused because the context is full. It does not confirm the cost of
 * a turn that waits for that.
 */
export const startable = ({ phase, waiting = [] }: State): LaterMessage | null => {
  const isFree = phase.kind === "exhausted" || (busyRefusal(phase) === null && !isCostly(phase));
  return isFree ? (waiting[0] ?? null) : null;
};

/** Completes each step: messages that the ended turn did not read, and the start of a waiting message. */
export const withLaterMessages = (before: State, event: Event, reacted: Transition): Transition => {
  if (reacted.kind === "refused") return reacted;
  const closed = withUnread(reacted, event.at);
  const next = startable(closed.state);
  if (next === null) return closed;
  const isRequested = event.kind !== "woken" && startable(before)?.message === next.message;
  const effect = { kind: "startWaiting", message: next.message } as const;
  return isRequested ? closed : { ...closed, effects: [...closed.effects, effect] };
};

const withUnread = (ended: Step, at: Millis): Step => {
  const { state, append } = ended;
  const { added, ...turn } = state.turn;
  if (added === undefined || turn.end === null) return ended;
  const by = [...new Set(added.map(({ speaker }) => speaker.id))];
  return {
    ...ended,
    state: { ...state, turn },
    append: [...append, ...addedEntries(state), noticeEntry(state, at, { kind: "unread", by })],
  };
};
