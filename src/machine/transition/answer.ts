/** The model answered or failed (BED-003, BED-006). */

import { isFull, isNearFull, measured } from "../context.ts";
import { exhaust, beginSummary } from "../continuation.ts";
import { requestReview } from "../review.ts";
import { agentFull, agentRound } from "../sub-agent.ts";
import type { Event } from "../event.ts";
import type { Millis } from "../id.ts";
import { withQuoted } from "../provenance.ts";
import { retryDelay } from "../retry.ts";
import { hostError, NO_ROOM, runNextCall, result } from "../round.ts";
import { withTemporaryModel, mayHelp, canTakeOver } from "../model-fallback.ts";
import { inFlight, type State, type SummarizingPhase, type ThinkingPhase } from "../state.ts";
import {
  nextEffectId,
  endTurn,
  entryAt,
  noteEntry,
  noticeEntry,
  refusedStep,
  addTurnUsage,
  step,
  beginThinking,
} from "../step.ts";
import type { Entry, Notice } from "../transcript.ts";
import type { Transition } from "../step.ts";
import type { Failure, ModelChoice } from "../vocabulary.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

/** Maximum number of parts of an unfinished response. After it, the turn ends with the text so far (C23). */
const MAX_PARTS = 5;
const MAX_ROUNDS = 200;
/** Calls of one response that are run or asked about. Later calls are answered at once. */
export const MAX_CALLS = 100;
const TOO_MANY = `Not run: a response may have ${MAX_CALLS} calls, and this one had more. Call again for those that are still needed.`;
const TURN_LIMIT = `Not run: this turn has reached its limit of ${MAX_ROUNDS} tool rounds.`;

export const onModelAnswered = (state: State, event: Event & { kind: "answered" }): Transition => {
  const thinking = inFlight(state, event.by);
  if (thinking?.kind !== "thinking") return refusedStep("stale");
  return withWarning(settle(count(state, event), event, thinking), event);
};

const settle = (counted: State, event: Event & { kind: "answered" }, thinking: ThinkingPhase): Transition => {
  const append: readonly Entry[] = isEmpty(event) ? [] : [answerEntry(counted, event)];
  if (isFull(counted.context) || event.stop === "window") {
    return counted.kind === "subagent" ? agentFull(counted, event, append) : full(counted, event, append);
  }
  switch (event.stop) {
    case "tools":
      return event.calls.length > 0
        ? round(counted, event, append)
        : finish(counted, event, append, { kind: "noCall" }, event.text > 0);
    case "end":
      return ended(counted, event, append);
    case "max_tokens":
    case "pause":
      return unfinished(counted, event, thinking, append);
    case "refusal":
      return finish(counted, event, append, { kind: "refused" });
  }
};

/** BED-019: Runs no call of the response. */
const full = (state: State, event: Event & { kind: "answered" }, append: readonly Entry[]): Transition => {
  const calls = event.stop === "tools" ? event.calls : [];
  const closed = [...append, ...calls.map((call) => result(state, event.at, call, hostError(NO_ROOM)))];
  return beginSummary(state, closed, calls.slice(0, MAX_CALLS));
};

export const onModelFailed = (state: State, event: Event & { kind: "modelFailed" }): Transition => {
  const asking = inFlight(state, event.by);
  if (asking === null) return refusedStep("stale");
  const { failure } = event;
  const delay = retryDelay(failure, asking.attempt);
  if (delay === null) return fellBack(state, event, asking) ?? failed(state, event, asking);
  const wait = { for: nextEffectId(state), delay, failure };
  return step({ ...state, phase: { ...asking, attempt: asking.attempt + 1, wait } });
};

/** Lets the host's fallback continue the turn, once. */
const fellBack = (
  state: State,
  { at, failure, other, fallback, model = state.model }: Event & { kind: "modelFailed" },
  asking: ThinkingPhase | SummarizingPhase,
): Transition | null => {
  const { own } = state.turn;
  if (fallback !== true || own !== undefined || !mayHelp(failure.kind, other) || !canTakeOver(state, other))
    return null;
  const told = [noticeEntry(state, at, { kind: "fellBack", from: model, to: other.name, failure })];
  const begun = withTemporaryModel(state, other);
  return asking.kind === "thinking"
    ? beginThinking(begun, told, asking.parts)
    : beginSummary(begun, told, asking.rejected, asking.by);
};

/** Fails the turn. A request too large for the model continues in another conversation instead (D15). */
const failed = (
  state: State,
  { at, failure, other }: Event & { kind: "modelFailed" },
  asking: ThinkingPhase | SummarizingPhase,
): Transition => {
  // A budget may allow the summary later, so a budget failure does not end the conversation.
  const isOver = asking.kind === "summarizing" && failure.kind !== "budget";
  if (isOver) return exhaust(state, asking, at, "failed");
  return failure.kind === "context" && state.kind === "thread"
    ? beginSummary(state, [], [])
    : failTurn(state, at, [], failure, asking.attempt, mayHelp(failure.kind, other) ? other : undefined);
};

/** Warns once per crossing, and never together with another notice of the same step. */
const withWarning = (transition: Transition, event: Event): Transition => {
  if (transition.kind === "refused") return transition;
  const { state, append, effects } = transition;
  const { context } = state;
  const isOver = state.phase.kind === "summarizing";
  if (isOver || context.warned || !isNearFull(context) || append.some(({ kind }) => kind === "notice"))
    return transition;
  const { used, window } = context;
  const warning = { seq: state.seq, at: event.at, used };
  return step(
    { ...state, context: { ...context, warned: true, warning } },
    [...append, noticeEntry(state, event.at, { kind: "context", used, window })],
    effects,
  );
};

const round = (state: State, event: Event & { kind: "answered" }, append: readonly Entry[]): Transition => {
  const { at, message } = event;
  const calls = event.calls.slice(0, MAX_CALLS);
  // Excess calls are answered now, so that no later step has to carry them. The prompt puts the results in their places.
  const excess = event.calls.slice(MAX_CALLS).map((call) => result(state, at, call, hostError(TOO_MANY)));
  const told = [...append, ...excess];
  if (state.kind === "subagent") return agentRound(state, { ...event, calls }, told);
  if (state.turn.rounds >= MAX_ROUNDS) {
    const results = calls.map((call) => result(state, at, call, hostError(TURN_LIMIT)));
    return failTurn(state, at, [...told, ...results], LIMIT_REACHED, 1);
  }
  const counted = { ...state, turn: { ...state.turn, rounds: state.turn.rounds + 1 } };
  return runNextCall(counted, { message, rest: calls, notes: [] }, at, told);
};

const unfinished = (
  state: State,
  event: Event & { kind: "answered" },
  thinking: ThinkingPhase,
  append: readonly Entry[],
): Transition => {
  if (append.length === 0 || thinking.parts + 1 >= MAX_PARTS) {
    const isBegun = append.length > 0 || thinking.parts > 0;
    return finish(state, event, append, { kind: "cut" }, isBegun);
  }
  const nudge = event.stop === "pause" ? [] : [noteEntry(state, event.at, "continue")];
  return beginThinking(state, [...append, ...nudge], thinking.parts + 1);
};

const ended = (state: State, event: Event & { kind: "answered" }, append: readonly Entry[]): Transition => {
  const isAnswer = event.text > 0;
  if (append.length === 0) return finish(state, event, append, { kind: "empty" }, isAnswer);
  const { at, reused } = event;
  if (reused === undefined) return finish(state, event, append, null, isAnswer);
  const { turn, ...read } = withQuoted(state, OF_OTHERS);
  const age = Math.max(0, at - reused.at);
  const notice: Notice = {
    kind: "reused",
    from: reused.conversation,
    age,
    ...omitUndefined({ link: reused.link }),
  };
  return finish({ ...read, turn: { ...turn, reused: true } }, event, append, notice, isAnswer);
};

/** A reused answer counts as one quoted message, because it was written in another conversation. */
const OF_OTHERS = { messages: 1, previews: 0, files: 0, pictures: 0 } as const;

/** `isAnswer`: there is text to post, which is reviewed first if the channel requires that. */
const finish = (
  state: State,
  { at, message }: Event & { kind: "answered" },
  append: readonly Entry[],
  notice: Notice | null,
  isAnswer = false,
): Transition => {
  const told = notice === null ? append : [...append, noticeEntry(state, at, notice)];
  if (state.turn.added !== undefined) return beginThinking(state, told);
  const { reviewed: place } = state.turn;
  return isAnswer && place !== undefined && state.kind === "thread"
    ? requestReview(state, { at, message }, told, place)
    : step(endTurn(state, "answered", at), told);
};

const failTurn = (
  state: State,
  at: Millis,
  append: readonly Entry[],
  failure: Failure,
  attempts: number,
  other?: ModelChoice,
): Transition =>
  step(endTurn(state, "failed", at, { kind: "failed", failure, ...omitUndefined({ other }) }), [
    ...append,
    noticeEntry(state, at, { kind: "failed", failure, attempts, ...omitUndefined({ other: other?.name }) }),
  ]);

const count = (state: State, { usage }: Event & { kind: "answered" }): State => ({
  ...addTurnUsage(state, usage),
  context: measured(state.context, usage),
});

/** The provider would refuse an empty assistant message in the next request. */
const isEmpty = (event: Event & { kind: "answered" }): boolean =>
  event.text === 0 && event.calls.length === 0 && event.stop !== "pause";

const answerEntry = (state: State, event: Event & { kind: "answered" }): Entry =>
  entryAt(state, event.at, {
    kind: "answer",
    message: event.message,
    text: event.text,
    calls: event.stop === "tools" ? event.calls : [],
    stop: event.stop,
    ...omitUndefined({ model: event.model, earlier: event.earlier }),
  });

const LIMIT_REACHED: Failure = {
  kind: "limit",
  message: `The turn reached its limit of ${MAX_ROUNDS} tool rounds. Send a message to go on.`,
  retryAfter: null,
};
