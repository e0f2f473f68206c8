/**
 * A tool round: the calls of one response, one at a time in the requested order (L5), each with exactly one
 * result (L4). Notes wait until the last result, because results must come first in the next user message (C5).
 */

import type { Effect } from "./effect.ts";
import type { MessageId, Millis } from "./id.ts";
import { KERNEL_NEEDS } from "./refusal.ts";
import { effectivePermission, frozen, type State } from "./state.ts";
import { effectId, entry, noteEntry, step, think } from "./step.ts";
import type { Entry, Note, Outcome } from "./transcript.ts";
import type { Step } from "./step.ts";
import type { Call } from "./words.ts";

export const ALREADY_UNRESTRICTED = "Already in Unrestricted mode";
export const APPROVED = "Approved: the conversation is now in Unrestricted mode.";
export const DENIED = "Denied by user: the conversation stays in Restricted mode.";
export const CANCELLED = "Cancelled by user";
export const SKIPPED = "Skipped due to cancellation";
export const INTERRUPTED = "[Tool execution interrupted by server restart]";
const SPEAKER_MAY_NOT =
  "Not available: the person who began this turn may only work in Restricted mode. Ask them to have someone who may approve repeat the request.";
const FROZEN = `Not run: the conversation is Restricted and this host cannot hold it (Restricted mode needs ${KERNEL_NEEDS}). Use request_mode_upgrade to ask for Unrestricted mode.`;

export interface Pending {
  /** The response that the calls belong to. */
  readonly message: MessageId;
  readonly calls: readonly Call[];
  readonly notes: readonly Note[];
}

/** Goes on with the next call: runs it, asks a person, or answers it at once; after the last, asks the model. */
export const proceed = (state: State, pending: Pending, at: Millis, append: readonly Entry[]): Step => {
  const [call, ...rest] = pending.calls;
  if (call === undefined) {
    return think(state, [...append, ...pending.notes.map((note) => noteEntry(state, at, note))]);
  }
  const answer = answerAtOnce(state, call);
  if (answer !== null) {
    return proceed(state, { ...pending, calls: rest }, at, [...append, result(state, at, call, answer)]);
  }
  return call.intent === "upgrade"
    ? ask(state, call, { ...pending, calls: rest }, at, append)
    : run(state, call, { ...pending, calls: rest }, append);
};

export const result = (state: State, at: Millis, call: Call, outcome: Outcome): Entry =>
  entry(state, at, { kind: "result", call, outcome });

export const hostError = (text: string): Outcome & { kind: "host" } => ({
  kind: "host",
  text,
  isError: true,
  decision: null,
});

/** L4 when a round ends early: one synthetic result for the current call and one for each behind it (BED-005). */
export const closeRound = (
  state: State,
  at: Millis,
  open: { readonly call: Call; readonly rest: readonly Call[]; readonly notes: readonly Note[] },
  current: string,
): readonly Entry[] => [
  result(state, at, open.call, hostError(current)),
  ...open.rest.map((call) => result(state, at, call, hostError(SKIPPED))),
  ...open.notes.map((note) => noteEntry(state, at, note)),
];

/** Calls that the core answers itself: nothing runs and nobody is asked. */
const answerAtOnce = (state: State, call: Call): Outcome | null => {
  if (call.intent === "upgrade") {
    if (effectivePermission(state) === "unrestricted") return hostError(ALREADY_UNRESTRICTED);
    if (state.turn.speaker?.mayDrive !== true) return hostError(SPEAKER_MAY_NOT);
    return state.turn.denied ? hostError(DENIED) : null;
  }
  return frozen(state) ? hostError(FROZEN) : null;
};

const ask = (state: State, call: Call, pending: Pending, at: Millis, append: readonly Entry[]): Step =>
  step(
    {
      ...state,
      phase: {
        kind: "awaitingApproval",
        question: { id: `q${state.seq}`, kind: "upgrade", askedAt: at, message: pending.message },
        call,
        rest: pending.calls,
        notes: pending.notes,
      },
    },
    append,
  );

const run = (state: State, call: Call, pending: Pending, append: readonly Entry[]): Step => {
  const id = effectId(state);
  const permission = effectivePermission(state);
  const effect: Effect = { kind: "run", id, call, permission, grants: state.grants };
  const phase = {
    kind: "running",
    effect: id,
    message: pending.message,
    call,
    rest: pending.calls,
    notes: pending.notes,
  } as const;
  return step({ ...state, phase }, append, [effect]);
};
