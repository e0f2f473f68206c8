/** Stop (BED-005) ends idle (L7): at once while thinking (C2) or awaiting a decision (C7), within STOP_GRACE in a tool (C3). */

import { exhaust } from "../continuation.ts";
import type { Effect } from "../effect.ts";
import type { Event } from "../event.ts";
import type { Millis, PersonId } from "../id.ts";
import { agentsDue } from "./agents.ts";
import { begin } from "./message-received.ts";
import {
  CANCELLED,
  closeRound,
  denialText,
  hostError,
  skipped,
  keepModeOutcome,
  WRITE_CUT,
  wroteEntry,
} from "../round.ts";
import {
  askOf,
  type AwaitingApproval,
  isCostly,
  isWithoutCall,
  type State,
  type StoppingPhase,
  type SummarizingPhase,
} from "../state.ts";
import {
  abortThinking,
  nextEffectId,
  endTurn,
  entryAt,
  killBackground,
  noticeEntry,
  readAdded,
  refusedStep,
  step,
} from "../step.ts";
import type { Decision, Entry, HostOutcome } from "../transcript.ts";
import type { Step, Transition } from "../step.ts";
import { withWrote } from "../unconfirmed-writes.ts";
import type { QuestionSpec, Choice, StopCause, Utterance, WriteOutcome } from "../vocabulary.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

/** Time in which a killed tool can still report. After it, the result is no longer awaited. */
const STOP_GRACE: Millis = 2_000;

export const onStop = (state: State, event: Event & { kind: "stopped" }): Transition => {
  const { phase } = state;
  const { at, then } = event;
  const cause = causeOf(event);
  switch (phase.kind) {
    case "idle":
    case "failed":
      return stopIdle(state, event);
    case "thinking":
      return end(state, at, cause, then, [], 0, abortThinking(phase));
    case "awaitingApproval":
      return end(state, at, cause, then, denyAndSkip(state, phase, at, event.by), phase.rest.length);
    case "running":
    case "awaitingAgents": {
      const stopping: StoppingPhase = {
        kind: "stopping",
        effect: phase.effect,
        message: phase.message,
        wait: { for: nextEffectId(state), delay: STOP_GRACE },
        call: phase.call,
        ...(phase.kind === "awaitingAgents" ? { agents: phase.agents } : {}),
        rest: phase.rest,
        notes: phase.notes,
        ...cause,
        ...(phase.kind !== "running" || phase.approved === undefined ? {} : { approved: phase.approved }),
        then,
      };
      return step(
        { ...state, background: false, phase: stopping },
        [],
        [{ kind: "kill", target: phase.effect }, ...killBackground(state)],
      );
    }
    case "summarizing":
      return stopSummary(state, phase, event);
    case "exhausted":
      return refusedStep(then === null ? "no_op" : "context_exhausted");
    case "stopping":
    case "ended":
      return refusedStep("no_op");
  }
};

/** A person's stop ends the conversation without a summary; the host's own stop ends only the turn. */
const stopSummary = (
  state: State,
  phase: SummarizingPhase,
  event: Event & { kind: "stopped" },
): Transition => {
  if (event.then !== null) return refusedStep("summarizing");
  const abort = abortThinking(phase);
  return event.why === undefined
    ? exhaust(state, phase, event.at, "cancelled", null, abort)
    : end(state, event.at, causeOf(event), null, [], 0, abort);
};

/** Handles the timer that `for` names: the next attempt after a delay, or the end of a stop's grace period (D11). */
export const onTimeLimit = (state: State, event: Event & { kind: "due" }): Transition => {
  const { phase } = state;
  const isAsking = phase.kind === "thinking" || phase.kind === "summarizing";
  if (isAsking && phase.wait?.for === event.for) {
    const id = nextEffectId(state);
    const again: Effect =
      phase.kind === "thinking"
        ? { kind: "think", id, attempt: phase.attempt }
        : { kind: "summarize", id, rejected: phase.rejected };
    const read = readAdded(state, []);
    return step({ ...read.state, phase: { ...phase, request: id, wait: null } }, read.append, [again]);
  }
  if (phase.kind === "stopping" && phase.wait.for === event.for) return finishStop(state, phase, event.at);
  if (phase.kind === "awaitingAgents" && phase.wait?.for === event.for) return agentsDue(state, phase);
  return refusedStep("stale");
};

/** Reports the outcome of a running write, known or unknown, and begins the message of *Stop and send this*. */
export const finishStop = (
  state: State,
  phase: StoppingPhase,
  at: Millis,
  wrote: WriteOutcome = { kind: "unknown" },
): Step => {
  const { approved, effect } = phase;
  const told = approved === undefined ? [] : [wroteEntry(state, at, approved, wrote)];
  return end(
    approved === undefined ? state : withWrote(state, { effect, approved }, wrote),
    at,
    causeOf(phase),
    phase.then,
    [...closeRound(state, at, phase, approved === undefined ? CANCELLED : WRITE_CUT), ...told],
    phase.rest.length,
  );
};

interface Cause {
  readonly by: PersonId;
  readonly why?: StopCause;
}

const causeOf = ({ by, why }: Cause): Cause => ({ by, ...omitUndefined({ why }) });

const end = (
  state: State,
  at: Millis,
  cause: Cause,
  then: Utterance | null,
  results: readonly Entry[],
  skipped: number,
  before: readonly Effect[] = [],
): Step => {
  const effects = [...before, ...killBackground(state)];
  const append = [...results, noticeEntry(state, at, { kind: "stopped", ...cause, skipped })];
  const idle = endTurn({ ...state, background: false }, "stopped", at);
  return then === null ? step(idle, append, effects) : begin(idle, then, at, append, effects);
};

/** Commands of earlier calls may still run, and *Stop and send this* still sends. */
const stopIdle = (state: State, event: Event & { kind: "stopped" }): Transition => {
  const effects = killBackground(state);
  const quiet = { ...state, background: false };
  if (event.then !== null) return begin(quiet, event.then, event.at, [], effects);
  // A person was asked to confirm the cost; Stop means no.
  if (isCostly(state.phase)) return end(state, event.at, causeOf(event), null, [], 0);
  return effects.length === 0 ? refusedStep("no_op") : step(quiet, [], effects);
};

/** C7: cancel means Deny, then cancel. */
const denyAndSkip = (state: State, phase: AwaitingApproval, at: Millis, by: PersonId): readonly Entry[] => {
  const ask = askOf(phase.question);
  const decision: Decision = { choice: DENIALS[ask.kind] ?? "deny", by, at, comment: null };
  return isWithoutCall(ask)
    ? [entryAt(state, at, { kind: "granted", call: phase.call, ask, decision }), ...skipped(state, at, phase)]
    : closeRound(state, at, phase, deniedOutcome(state, ask, decision));
};

/** Choices that mean no for questions without a Deny button. */
const DENIALS: Readonly<Partial<Record<QuestionSpec["kind"], Choice>>> = {
  answer: "discard",
  mode: "stay",
  person: "reply",
};

const deniedOutcome = (state: State, ask: QuestionSpec, decision: Decision): HostOutcome => {
  if (ask.kind === "mode") return keepModeOutcome(state, decision, ask);
  if (ask.kind === "person") return { ...hostError(CANCELLED), decision, ask };
  const isPlain = ask.kind === "upgrade" && ask.from === undefined;
  return { ...hostError(denialText(ask)), decision, ...(isPlain ? {} : { ask }) };
};
