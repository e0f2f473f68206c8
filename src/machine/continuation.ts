/** Ends a conversation with a full context and continues it in at most one other (BED-019 to BED-021; by hand BED-023.2). */

import { percentUsed } from "./context.ts";
import type { Effect } from "./effect.ts";
import type { Event } from "./event.ts";
import type { Millis, PersonId } from "./id.ts";
import { busyRefusal } from "./refusal.ts";
import { type ExhaustedPhase, inFlight, mayBegin, type State, type SummarizingPhase } from "./state.ts";
import {
  beginTurn,
  nextEffectId,
  endTurn,
  entryAt,
  killBackground,
  readAdded,
  refusedStep,
  addTurnUsage,
  step,
} from "./step.ts";
import type { Step, Transition } from "./step.ts";
import type { Entry, Summary } from "./transcript.ts";
import type { Call, SeedChoice } from "./vocabulary.ts";

/** The caller has answered the calls in `rejected` through `append`. */
export const beginSummary = (
  state: State,
  append: readonly Entry[],
  rejected: readonly Call[],
  by: PersonId | null = null,
  before: readonly Effect[] = [],
): Step => {
  const request = nextEffectId(state);
  const phase: SummarizingPhase = { kind: "summarizing", request, attempt: 1, wait: null, rejected, by };
  const read = readAdded(state, append);
  return step({ ...read.state, phase }, read.append, [
    ...before,
    { kind: "summarize", id: request, rejected },
  ]);
};

export const continued = (state: State, event: Event & { kind: "continued" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refusedStep(busy === "context_exhausted" ? passed(state) : busy);
  if (!mayContinue(state)) return refusedStep("no_op");
  if (!mayBegin(state, event.by)) return refusedStep("not_confined");
  return beginSummary(beginTurn(state, event.by, event.at), [], [], event.by.id);
};

export const mayContinue = (state: State): boolean =>
  state.kind === "thread" &&
  state.turn.no > 0 &&
  (state.phase.kind === "idle" || state.phase.kind === "failed");

export const summarized = (state: State, event: Event & { kind: "summarized" }): Transition => {
  const phase = inFlight(state, event.by);
  if (phase?.kind !== "summarizing") return refusedStep("stale");
  const counted = addTurnUsage(state, event.usage);
  return event.text === 0
    ? exhaust(counted, phase, event.at, "failed")
    : exhaust(counted, phase, event.at, "summarized", event.message);
};

/** Background commands end too, because no person can write here any more. */
export const exhaust = (
  state: State,
  { rejected, by }: SummarizingPhase,
  at: Millis,
  ended: Summary["ended"],
  message: Summary["message"] = null,
  before: readonly Effect[] = [],
): Step => {
  const phase: ExhaustedPhase = { kind: "exhausted", summary: message, next: null };
  const summary = {
    message,
    ended,
    percent: percentUsed(state.context),
    by,
    rejected: rejected.map(({ name }) => name),
  };
  return step(
    endTurn({ ...state, background: false }, WHY[ended], at, phase),
    [entryAt(state, at, { kind: "summary", ...summary })],
    [...before, ...killBackground(state)],
  );
};

const WHY = { summarized: "answered", failed: "failed", cancelled: "stopped" } as const;

/** The choice is made once; creating the thread may be retried. */
export const moved = (state: State, event: Event & { kind: "moved" }): Transition => {
  const { phase } = state;
  if (phase.kind !== "exhausted") return refusedStep(busyRefusal(phase) ?? "no_op");
  if (!isOpen(state)) return refusedStep("already_continued");
  if (event.seed === "summary" && phase.summary === null) return refusedStep("wrong_choice");
  if (!mayBegin(state, event.by)) return refusedStep("not_confined");
  const { by: speaker } = event;
  const branch = {
    mode: state.mode,
    by: speaker.id,
    seed: { summary: event.seed === "summary" ? phase.summary : null, speaker },
  };
  const id = nextEffectId(state);
  return step(
    { ...state, branches: [...state.branches, { effect: id, ...branch }] },
    [],
    [{ kind: "branch", id, ...branch }],
  );
};

export const nextSeed = (phase: State["phase"] | undefined): SeedChoice | null => {
  if (phase?.kind !== "exhausted") return null;
  return phase.summary === null ? "empty" : "summary";
};

/** Whether the conversation is exhausted and no continuation exists yet. */
export const isOpen = ({ phase, branches }: State): boolean =>
  phase.kind === "exhausted" && phase.next === null && !branches.some(({ seed }) => seed !== undefined);

const passed = (state: State) => (isOpen(state) ? "context_exhausted" : "already_continued");
