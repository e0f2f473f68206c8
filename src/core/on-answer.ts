/** The model answered or failed (BED-003, BED-006). */

import type { Event } from "./event.ts";
import type { Millis } from "./id.ts";
import { hostError, proceed, result } from "./round.ts";
import type { State, Thinking } from "./state.ts";
import { effectId, endTurn, entry, noteEntry, noticeEntry, refused, step, think } from "./step.ts";
import type { Entry, Notice } from "./transcript.ts";
import type { Transition } from "./step.ts";
import { addUsage, contextUsed, type Failure, type FailureKind } from "./words.ts";

/** Attempts in all, the first included (C8). */
export const ATTEMPTS = 3;
/** How often an unfinished response is continued before the turn ends with what there is (C23). */
export const MAX_PARTS = 5;
/** Responses with tool uses in one turn, a bound on a model that never ends. */
export const MAX_ROUNDS = 200;
/** A provider that asks for a longer wait than this fails the turn with its text (D11). */
export const MAX_RETRY_AFTER: Millis = 60_000;
const FIRST_DELAY: Millis = 1_000;
const TURN_LIMIT = `Not run: this turn has reached its limit of ${MAX_ROUNDS} tool rounds.`;
const RETRYABLE: ReadonlySet<FailureKind> = new Set(["rate_limit", "overloaded", "network"]);

export const answered = (state: State, event: Event & { kind: "answered" }): Transition => {
  const thinking = awaited(state, event.by);
  if (thinking === null) return refused("stale");
  const counted = count(state, event);
  const append: readonly Entry[] = isEmpty(event) ? [] : [answerEntry(counted, event)];
  switch (event.stop) {
    case "tools":
      return event.calls.length === 0 ? ended(counted, event, append) : round(counted, event, append);
    case "end":
      return ended(counted, event, append);
    case "max_tokens":
    case "pause":
      return unfinished(counted, event, thinking, append);
    case "refusal":
      return finish(counted, event.at, append, { kind: "refused" });
    case "window":
      return failTurn(counted, event.at, append, CONTEXT_FULL, 1);
  }
};

export const modelFailed = (state: State, event: Event & { kind: "modelFailed" }): Transition => {
  const thinking = awaited(state, event.by);
  if (thinking === null) return refused("stale");
  const { failure, at } = event;
  const again =
    RETRYABLE.has(failure.kind) &&
    thinking.attempt < ATTEMPTS &&
    (failure.retryAfter ?? 0) <= MAX_RETRY_AFTER;
  if (!again) return failTurn(state, at, [], failure, thinking.attempt);
  const delay = Math.max(FIRST_DELAY * 2 ** (thinking.attempt - 1), failure.retryAfter ?? 0);
  const wait = { for: effectId(state), delay, failure };
  return step({ ...state, phase: { ...thinking, attempt: thinking.attempt + 1, wait } });
};

/** The thinking phase if `by` is the request in flight; a response during a wait or after a stop is stale. */
const awaited = (state: State, by: string): Thinking | null =>
  state.phase.kind === "thinking" && state.phase.wait === null && state.phase.request === by
    ? state.phase
    : null;

const round = (state: State, event: Event & { kind: "answered" }, append: readonly Entry[]): Transition => {
  const { at, calls, message } = event;
  if (state.turn.rounds >= MAX_ROUNDS) {
    const results = calls.map((call) => result(state, at, call, hostError(TURN_LIMIT)));
    return failTurn(state, at, [...append, ...results], LIMIT_REACHED, 1);
  }
  const counted = { ...state, turn: { ...state.turn, rounds: state.turn.rounds + 1 } };
  return proceed(counted, { message, calls, notes: [] }, at, append);
};

const unfinished = (
  state: State,
  event: Event & { kind: "answered" },
  thinking: Thinking,
  append: readonly Entry[],
): Transition => {
  if (append.length === 0 || thinking.parts + 1 >= MAX_PARTS) {
    return finish(state, event.at, append, { kind: "cut" });
  }
  const nudge = event.stop === "pause" ? [] : [noteEntry(state, event.at, "continue")];
  return think(state, [...append, ...nudge], thinking.parts + 1);
};

const ended = (state: State, event: Event & { kind: "answered" }, append: readonly Entry[]): Transition =>
  finish(state, event.at, append, append.length === 0 ? { kind: "empty" } : null);

const finish = (state: State, at: Millis, append: readonly Entry[], notice: Notice | null): Transition =>
  step(
    endTurn(state, "answered", at),
    notice === null ? append : [...append, noticeEntry(state, at, notice)],
  );

const failTurn = (
  state: State,
  at: Millis,
  append: readonly Entry[],
  failure: Failure,
  attempts: number,
): Transition =>
  step(endTurn(state, "failed", at, { kind: "failed", failure }), [
    ...append,
    noticeEntry(state, at, { kind: "failed", failure, attempts }),
  ]);

const count = (state: State, event: Event & { kind: "answered" }): State => ({
  ...state,
  context: { ...state.context, used: contextUsed(event.usage) },
  usage: addUsage(state.usage, event.usage),
  turn: { ...state.turn, usage: addUsage(state.turn.usage, event.usage) },
});

/** An empty assistant message would be refused by the provider in the next request. */
const isEmpty = (event: Event & { kind: "answered" }): boolean =>
  event.text === 0 && event.calls.length === 0 && event.stop !== "pause";

const answerEntry = (state: State, event: Event & { kind: "answered" }): Entry =>
  entry(state, event.at, {
    kind: "answer",
    message: event.message,
    text: event.text,
    calls: event.stop === "tools" ? event.calls : [],
    stop: event.stop,
  });

const LIMIT_REACHED: Failure = {
  kind: "limit",
  message: `The turn reached its limit of ${MAX_ROUNDS} tool rounds. Send a message to go on.`,
  retryAfter: null,
};

const CONTEXT_FULL: Failure = {
  kind: "context",
  message: "The context window is full. Please start a new conversation.",
  retryAfter: null,
};
