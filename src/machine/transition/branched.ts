/** Outcome of opening the thread that a person chose. Old and new thread link to each other (D16). */

import type { Event } from "../event.ts";
import type { Millis, PersonId } from "../id.ts";
import { skipped } from "../round.ts";
import type { RunningPhase, State } from "../state.ts";
import { nextEffectId, endTurn, noticeEntry, refusedStep, step } from "../step.ts";
import type { Step, Transition } from "../step.ts";
import type { Entry } from "../transcript.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export const onBranchCopied = (state: State, event: Event & { kind: "branched" }): Transition => {
  const branch = state.branches.find(({ effect }) => effect === event.by);
  if (branch === undefined) return refusedStep("stale");
  const branches = state.branches.filter(({ effect }) => effect !== event.by);
  if (branch.seed !== undefined) return goesOn({ ...state, branches }, event);
  const notice = noticeEntry(state, event.at, {
    kind: "branched",
    to: event.conversation,
    mode: branch.mode,
    ...omitUndefined({ link: event.link, why: event.why }),
  });
  return step({ ...state, branches }, [notice]);
};

export const branchOff = (
  state: State,
  phase: RunningPhase,
  by: PersonId,
  at: Millis,
  append: readonly Entry[],
): Step => {
  const effect = nextEffectId(state);
  const { call } = phase;
  const branch = { mode: call.intent === "mode" ? call.mode : state.mode, by };
  const branches = [...state.branches, { effect, ...branch }];
  return step(
    endTurn({ ...state, branches }, "answered", at),
    [...append, ...skipped(state, at, phase)],
    [{ kind: "branch", id: effect, ...branch }],
  );
};

/** Records the one continuation of an exhausted conversation (BED-021). */
const goesOn = (
  state: State,
  { at, conversation, link, why, carried }: Event & { kind: "branched" },
): Transition => {
  const { phase } = state;
  if (conversation === null) {
    return step(state, [noticeEntry(state, at, { kind: "notContinued", ...omitUndefined({ why }) })]);
  }
  if (phase.kind !== "exhausted") return refusedStep("stale");
  return step({ ...state, phase: { ...phase, next: conversation, ...omitUndefined({ link, carried }) } });
};
