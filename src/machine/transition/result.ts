/** A tool use returned (BED-004) or was blocked. During a stop, a synthetic result replaces the returned one (C3). */

import type { Event } from "../event.ts";
import type { Millis } from "../id.ts";
import {
  askQuestion,
  hostError,
  runNextCall,
  ranResult,
  resumeHeldCall,
  result,
  wroteEntry,
} from "../round.ts";
import { effectivePermission, isFrozen, type State } from "../state.ts";
import type { Transition } from "../step.ts";
import { noticeEntry, refusedStep, step } from "../step.ts";
import type { Notice } from "../transcript.ts";
import type { Write } from "../vocabulary.ts";
import { withWrote } from "../unconfirmed-writes.ts";
import {
  validGrants,
  validThreadGrant,
  needsNetworkApproval,
  categoriesToApprove,
  withAnswers,
} from "../provenance.ts";
import { collectAgentResults } from "./agents.ts";
import { branchOff } from "./branched.ts";
import { finishStop } from "./stop.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export const onCallEnded = (state: State, event: Event & { kind: "ran" }): Transition => {
  const { phase } = state;
  const background = state.background || event.background;
  if (phase.kind === "stopping" && phase.effect === event.by) {
    // The result is discarded here, so a command left running counts as using the network.
    const left: State = { ...state, background, ...(event.background ? { online: true } : {}) };
    return finishStop(left, phase, event.at, event.wrote);
  }
  if (phase.kind === "awaitingAgents") return collectAgentResults(state, phase, event);
  if (phase.kind !== "running" || phase.effect !== event.by) return refusedStep("stale");
  const { message: told, origin, isError, exit, files, changed, note } = event;
  const outcome = {
    kind: "ran",
    message: told,
    isError,
    ...omitUndefined({ exit, files, changed, note }),
  } as const;
  const entry = ranResult(state, event.at, phase.call, outcome, origin);
  const { approved, confirmed, effect } = phase;
  if (confirmed?.branch === true && !event.isError) {
    return branchOff(state, phase, confirmed.by, event.at, [entry]);
  }
  const { wrote } = event;
  const isWrite = approved !== undefined && wrote !== undefined;
  const outcomes = isWrite ? [wroteEntry(state, event.at, approved, wrote)] : [];
  const after = isWrite ? withWrote(state, { effect, approved }, wrote) : state;
  const online = event.background && phase.online === true ? ({ online: true } as const) : {};
  const heard = withAnswers({ ...after, background, ...online }, event.reached, origin);
  return runNextCall(heard, phase, event.at, [entry, ...outcomes]);
};

/** Records network access of a background command at once, so that later questions name it. */
export const onNetworkAccessed = (state: State, event: Event & { kind: "reached" }): Transition =>
  step(withAnswers(state, event.reached, "checkout"));

export const onSetupEnded = (state: State, { at, setUp }: Event & { kind: "setUp" }): Transition =>
  told(state, at, { kind: "setUp", setUp });

export const onCheckoutRestored = (state: State, { at, putBack }: Event & { kind: "putBack" }): Transition =>
  told(state, at, { kind: "putBack", putBack });

/** The model needs no notice, because it sees the files in the results of its commands. */
const told = (state: State, at: Millis, notice: Notice): Transition => {
  const { kind } = state.phase;
  return kind === "exhausted" || kind === "ended"
    ? refusedStep("stale")
    : step(state, [noticeEntry(state, at, notice)]);
};

export const onCallBlocked = (state: State, event: Event & { kind: "blocked" }): Transition => {
  const { phase } = state;
  if (phase.kind === "stopping" && phase.effect === event.by) return finishStop(state, phase, event.at);
  if (phase.kind !== "running" || phase.effect !== event.by || phase.approved !== undefined) {
    return refusedStep("stale");
  }
  const { call } = phase;
  const grants = validGrants(state);
  const { safeMode } = state;
  const categories = categoriesToApprove(
    { safeMode, sealed: needsNetworkApproval(state) },
    grants,
    event.categories,
  );
  // Grants, safe mode or permission may have changed since the call started, so the gate checks again.
  if (categories.length === 0 || effectivePermission(state) === "restricted") {
    return resumeHeldCall(state, phase, event.at, [], { grants });
  }
  if (state.kind === "subagent") {
    const refusal = result(state, event.at, call, hostError(NOBODY_TO_ASK));
    return runNextCall(state, phase, event.at, [refusal]);
  }
  const { shown, fingerprint } = event;
  return askQuestion(state, call, phase, event.at, [], { kind: "danger", categories, shown, fingerprint });
};

/** Asks before every write, whatever the permission is. A thread grant is valid in turns of speakers with write permission. */
export const onProposalReady = (state: State, event: Event & { kind: "proposed" }): Transition => {
  const { phase } = state;
  const { write, scope, shown, fingerprint, pull = false, commits, review, voided } = event;
  const isVoid = voided === undefined ? undefined : ({ kind: "void", why: voided } as const);
  if (phase.kind === "stopping" && phase.effect === event.by)
    return finishStop(state, phase, event.at, isVoid);
  if (phase.kind !== "running" || phase.effect !== event.by) return refusedStep("stale");
  const { approved, call } = phase;
  // Only a decision about a draft is asked for again, with the draft's current result.
  if ((approved === undefined) !== (isVoid === undefined)) return refusedStep("stale");
  if (approved !== undefined && (write !== "apply_draft" || !isOfDraft(approved.write)))
    return refusedStep("stale");
  if (write === "apply_draft") {
    const question = { kind: "result", shown, fingerprint, pull, ...omitUndefined({ commits }) } as const;
    const told =
      approved === undefined || isVoid === undefined ? [] : [wroteEntry(state, event.at, approved, isVoid)];
    return askQuestion(state, call, phase, event.at, told, question);
  }
  const stands = validThreadGrant(state, scope);
  if (stands !== undefined && state.turn.speaker?.mayDrive === true && !isFrozen(state)) {
    return resumeHeldCall(state, phase, event.at, [], {
      grants: validGrants(state),
      approved: { write, by: stands.by, at: event.at, fingerprint },
    });
  }
  const offer = review && { ...review, leftOut: [] };
  const question = {
    kind: "write",
    write,
    ...omitUndefined({ scope }),
    shown,
    fingerprint,
    ...omitUndefined({ review: offer }),
  } as const;
  return askQuestion(state, call, phase, event.at, [], question);
};

const isOfDraft = (write: Write): boolean => write === "apply_draft" || write === "open_pull_request";

const NOBODY_TO_ASK =
  "Not run: safe mode wants a person's word first, and sub-agents cannot ask. Report with submit_result what should be run.";
