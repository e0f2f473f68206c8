/**
 * Work in flight is lost and never repeated, and the history is repaired so that the next request is valid (D5). A pending
 * question, the permission and a failure survive (BED-007, C4). A weaker kernel permits nothing new (D3).
 */

import type { Gathered } from "../agent.ts";
import type { Event } from "../event.ts";
import { agentsLost } from "./agents.ts";
import { finishStop } from "./stop.ts";
import { withShownContent } from "../provenance.ts";
import { closeRound, CUT, sealOf, WRITE_CUT, wroteEntry } from "../round.ts";
import { effectivePermission, isFrozen, type RunningPhase, type State } from "../state.ts";
import { abortThinking, endTurn, noticeEntry, refusedStep, step } from "../step.ts";
import type { Entry } from "../transcript.ts";
import type { Step, Transition } from "../step.ts";
import { withWrote } from "../unconfirmed-writes.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export const onProcessStarted = (before: State, event: Event & { kind: "woken" }): Step => {
  const { standing: _, online: __, ...slept } = guarded(before);
  const state: State = {
    ...slept,
    confinement: event.confinement,
    ...omitUndefined({ offer: event.offer }),
    grants: [],
    background: false,
    context: { ...slept.context, window: event.window },
  };
  const { phase } = state;
  if (phase.kind === "running" && isDurable(phase)) return again(resumed(state, event, phase));
  const ended = brokenOff(state, event) ?? step(state);
  // The effects would end work of the previous process, which no longer exists.
  return again(phase.kind === "stopping" ? ended : { ...ended, effects: [] });
};

/** A sub-agent starts with its conversation's untrusted content, so its first `woken` counts that content as shown. */
const guarded = (state: State): State =>
  state.guarded === true ? state : withShownContent({ ...state, guarded: true });

/** Whether the running call is an approved write or a confirmed mode, which happens once despite crashes (D6). */
const isDurable = ({ approved, confirmed }: RunningPhase): boolean =>
  approved !== undefined || confirmed !== undefined;

/** No other call than a durable one is repeated. */
const resumed = (state: State, event: Event, phase: RunningPhase): Step => {
  const { approved, confirmed, call, effect } = phase;
  if (approved !== undefined && isFrozen(state)) {
    const unknown = { kind: "unknown" } as const;
    const results = [
      ...closeRound(state, event.at, phase, WRITE_CUT),
      wroteEntry(state, event.at, approved, unknown),
    ];
    return interrupted(withWrote(state, { effect, approved }, unknown), event, results);
  }
  const permission = effectivePermission(state);
  const word = approved === undefined ? {} : ({ approved, again: true } as const);
  const durable = { ...word, ...omitUndefined({ confirmed }), ...sealOf(state, permission) };
  return step(state, [], [{ kind: "run", id: effect, call, permission, grants: [], ...durable }]);
};

/** Requests durable threads again until they are answered (D6). */
const again = (woke: Step): Step => ({
  ...woke,
  effects: [
    ...woke.effects,
    ...woke.state.branches.map(({ effect: id, ...branch }) => ({ kind: "branch", id, ...branch }) as const),
  ],
});

export const onProcessStopping = (state: State, event: Event & { kind: "drained" }): Transition =>
  brokenOff(state, event) ?? refusedStep("no_op");

/** Ends the work in flight with its turn. Null if there is none, or if the next process continues it. */
const brokenOff = (state: State, event: Event & { readonly agents?: Gathered }): Step | null => {
  const { phase } = state;
  switch (phase.kind) {
    case "idle":
    case "failed":
    case "awaitingApproval":
    case "ended":
    case "exhausted":
      return null;
    case "stopping":
      return finishStop(state, phase, event.at);
    case "thinking":
    case "summarizing":
      return { ...interrupted(state, event, []), effects: abortThinking(phase) };
    case "running": {
      if (isDurable(phase)) return null;
      const ended = interrupted(state, event, closeRound(state, event.at, phase, CUT));
      return { ...ended, effects: [{ kind: "kill", target: phase.effect }] };
    }
    case "awaitingAgents": {
      const lost = agentsLost(state, phase, event.at, event.agents);
      const ended = interrupted(lost.state, event, lost.results);
      return { ...ended, effects: [{ kind: "kill", target: phase.effect }] };
    }
  }
};

const interrupted = (state: State, event: Event, results: readonly Entry[]): Step =>
  step(endTurn(state, "interrupted", event.at), [
    ...results,
    noticeEntry(state, event.at, { kind: "interrupted" }),
  ]);
