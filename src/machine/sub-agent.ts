/** A sub-agent has one turn, asks no person, submits one result and then ends (BED-008, BED-009, BED-018, BED-024; L8). */

import { type AgentHow, AGENT_TURNS, type Handed } from "./agent.ts";
import type { Event, EventKind } from "./event.ts";
import type { Millis } from "./id.ts";
import { failedText } from "./retry.ts";
import { closeRound, hostError, runNextCall, result } from "./round.ts";
import { effectivePermission, type State } from "./state.ts";
import {
  abortThinking,
  endTurn,
  noteEntry,
  refusedStep,
  type Step,
  step,
  beginThinking,
  type Transition,
} from "./step.ts";
import type { Entry } from "./transcript.ts";
import type { Call } from "./vocabulary.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

/** BED-024 (C19). */
const CONTEXT_EXHAUSTED = "context exhausted before result submission";
const SUBMITTED = "Submitted.";
const NOT_RUN = "Not run: the limit was reached before.";
const CUT_OFF = "Not finished: the time is over.";

/** Events that a sub-agent accepts. People can only stop a sub-agent and delete messages. */
const TAKEN: ReadonlySet<EventKind["kind"]> = new Set([
  "woken",
  "drained",
  "said",
  "answered",
  "modelFailed",
  "ran",
  "blocked",
  "hurried",
  "stopped",
  "erased",
  "due",
]);

export const withSubAgentRules = (
  state: State,
  event: Event,
  react: (state: State, event: Event) => Transition,
): Transition => {
  if (!TAKEN.has(event.kind) || (event.kind === "said" && state.turn.no > 0)) return refusedStep("sub_agent");
  const reacted = react(state, event.kind === "stopped" ? { ...event, then: null } : event);
  return reacted.kind === "refused" ? reacted : concluded(state, reacted);
};

export const agentRound = (
  state: State,
  { at, calls, message, text }: Event & { kind: "answered" },
  append: readonly Entry[],
): Step => {
  const [first, ...others] = calls;
  if (first?.intent === "submit" && others.length === 0) {
    const told = result(state, at, first, { ...hostError(SUBMITTED), isError: false });
    const how = first.success ? "submitted" : "gaveUp";
    return over(state, at, how, { message, call: first.id }, [...append, told]);
  }
  const said = text > 0 ? { message, call: null } : null;
  if (state.grace !== undefined) {
    return over(state, at, state.grace, said, [...append, ...notRun(state, at, calls)]);
  }
  const rounds = state.turn.rounds + 1;
  const isLast = rounds >= AGENT_TURNS[effectivePermission(state)];
  const counted: State = {
    ...state,
    turn: { ...state.turn, rounds },
    ...(isLast ? { grace: "turns" } : {}),
  };
  return runNextCall(counted, { message, rest: calls, notes: isLast ? ["turnLimit"] : [] }, at, append);
};

/** Ends an agent with a full context (BED-024). Nothing counts as submitted; the failure contains the agent's last text. */
export const agentFull = (
  state: State,
  { at, message, stop, text, ...event }: Event & { kind: "answered" },
  append: readonly Entry[],
): Step => {
  const calls = stop === "tools" ? event.calls : [];
  const [first, ...others] = calls;
  const submitted = first?.intent === "submit" && others.length === 0 ? first.id : null;
  const said = submitted !== null || text > 0 ? { message, call: submitted } : null;
  return over(state, at, "context", said, [...append, ...notRun(state, at, calls)], CONTEXT_EXHAUSTED);
};

/** Ends the running work and leaves one response to submit the results so far. */
export const requestFinalResult = (state: State, event: Event & { kind: "hurried" }): Transition => {
  const { phase } = state;
  if (state.kind !== "subagent" || state.grace !== undefined) return refusedStep("stale");
  const last: State = { ...state, grace: "time" };
  const note = noteEntry(state, event.at, "timeLimit");
  if (phase.kind === "thinking") return beginThinking(last, [note], 0, abortThinking(phase));
  if (phase.kind !== "running") return refusedStep("stale");
  const closed = closeRound(state, event.at, phase, CUT_OFF);
  return beginThinking(last, [...closed, note], 0, [{ kind: "kill", target: phase.effect }]);
};

const notRun = (state: State, at: Millis, calls: readonly Call[]): readonly Entry[] =>
  calls.map((call) => result(state, at, call, hostError(NOT_RUN)));

const over = (
  state: State,
  at: Millis,
  how: AgentHow,
  handed: Handed | null,
  append: readonly Entry[],
  why?: string,
): Step => {
  const phase = { kind: "ended", how, ...omitUndefined({ why }), result: handed } as const;
  return step(endTurn(state, "answered", at, phase), append);
};

const concluded = (before: State, reacted: Step): Step => {
  const { state, append, effects } = reacted;
  const ended = state.phase.kind === "ended" ? state.phase : endOf(before, reacted);
  if (ended === null) return reacted;
  const leaves = state.background && !effects.some(({ kind }) => kind === "killBackground");
  return step({ ...state, background: false, phase: ended }, append, [
    ...effects,
    ...(leaves ? [{ kind: "killBackground" } as const] : []),
  ]);
};

const endOf = (before: State, { state, append }: Step): (State["phase"] & { kind: "ended" }) | null => {
  const { turn } = state;
  if (turn.end === null || before.phase.kind === "ended") return null;
  switch (turn.end.why) {
    case "answered": {
      const said = append.findLast((entry) => entry.kind === "answer" && entry.text > 0);
      if (said?.kind === "answer") {
        return { kind: "ended", how: "answered", result: { message: said.message, call: null } };
      }
      const refusal = append.some((entry) => entry.kind === "notice" && entry.notice.kind === "refused");
      const why = refusal ? "the model declined to answer" : "the model ended without an answer";
      return { kind: "ended", how: "failed", why, result: null };
    }
    case "failed": {
      const failed = append.flatMap((entry) =>
        entry.kind === "notice" && entry.notice.kind === "failed" ? [entry.notice] : [],
      )[0];
      return failed?.failure.kind === "context"
        ? { kind: "ended", how: "context", why: CONTEXT_EXHAUSTED, result: null }
        : { kind: "ended", how: "failed", why: failed === undefined ? "" : failedText(failed), result: null };
    }
    case "stopped": {
      const timely = append.some(
        (entry) => entry.kind === "notice" && entry.notice.kind === "stopped" && entry.notice.why === "time",
      );
      return { kind: "ended", how: timely ? "time" : "stopped", result: null };
    }
    case "interrupted":
    // Answers of sub-agents are never reviewed.
    case "discarded":
      return { kind: "ended", how: "interrupted", result: null };
  }
};
