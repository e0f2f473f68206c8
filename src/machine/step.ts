import type { Effect } from "./effect.ts";
import type { EffectId, MessageId, Millis } from "./id.ts";
import type { Refusal } from "./refusal.ts";
import { type RequestPhase, isCostly, type Phase, type State, type TurnEnd } from "./state.ts";
import type { Entry, EntryKind, Note, Notice } from "./transcript.ts";
import { withModel } from "./model-fallback.ts";
import { addUsage, type QuestionSpec, type Call, noUsage, type Speaker, type Usage } from "./vocabulary.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

export interface Step {
  readonly kind: "step";
  readonly state: State;
  readonly append: readonly Entry[];
  readonly effects: readonly Effect[];
}

export type Transition = Step | { readonly kind: "refused"; readonly why: Refusal };

export const refusedStep = (why: Refusal): Transition => ({ kind: "refused", why });

export const step = (state: State, append: readonly Entry[] = [], effects: readonly Effect[] = []): Step => ({
  kind: "step",
  state,
  append,
  effects,
});

export const nextEffectId = (state: State): EffectId => `e${state.seq}`;

export const entryAt = (state: State, at: Millis, kind: EntryKind): Entry => ({
  turn: state.turn.no,
  seq: state.seq,
  at,
  ...kind,
});

/** Added messages, in the order of their clicks. The time is that of the click. */
export const addedEntries = (state: State): readonly Entry[] =>
  (state.turn.added ?? []).map(({ at, message, speaker, images, edited }) =>
    entryAt(state, at, {
      kind: "said",
      message,
      speaker,
      images,
      added: true,
      ...omitUndefined({ edited }),
    }),
  );

/** Moves added messages into the transcript, so that the next request contains them. */
export const readAdded = (
  state: State,
  append: readonly Entry[],
): { readonly state: State; readonly append: readonly Entry[] } => {
  const { added, ...turn } = state.turn;
  return added === undefined
    ? { state, append }
    : { state: { ...state, turn }, append: [...append, ...addedEntries(state)] };
};

export const noteEntry = (state: State, at: Millis, note: Note): Entry =>
  entryAt(state, at, { kind: "note", note });

export const noticeEntry = (state: State, at: Millis, notice: Notice): Entry =>
  entryAt(state, at, { kind: "notice", notice });

/** A turn that waited to confirm its cost continues as confirmed. A speaker who may approve resets the denials. */
export const beginTurn = (state: State, speaker: Speaker, at: Millis): State => ({
  ...state,
  ...(speaker.mayApprove ? { denials: [] } : {}),
  turn: {
    no: state.turn.no + 1,
    speaker,
    begun: at,
    rounds: 0,
    denied: [],
    usage: noUsage,
    ...omitUndefined({ confirmed: isCostly(state.phase) || undefined, reviewed: state.turn.reviewed }),
    end: null,
  },
});

/** A temporary model is replaced by the thread's own. */
export const endTurn = (
  state: State,
  why: TurnEnd["why"],
  at: Millis,
  phase: Phase = { kind: "idle" },
): State => {
  const { own } = state.turn;
  const returned = own === undefined ? state : withModel(state, own);
  return { ...returned, phase, turn: { ...returned.turn, end: { at, why } } };
};

export const addTurnUsage = (state: State, usage: Usage): State => ({
  ...state,
  usage: addUsage(state.usage, usage),
  turn: { ...state.turn, usage: addUsage(state.turn.usage, usage) },
});

/** Returns no effect during the wait for another attempt, because nothing is in flight then. */
export const abortThinking = ({ wait, request }: RequestPhase): readonly Effect[] =>
  wait === null ? [{ kind: "abortThinking", target: request }] : [];

export const killBackground = (state: State): readonly Effect[] =>
  state.background ? [{ kind: "killBackground" }] : [];

/** Asks a question for which no call of the model waits. `call` is the host's own. */
export const askByItself = (
  state: State,
  { at, message }: { readonly at: Millis; readonly message: MessageId },
  call: Call,
  ask: QuestionSpec,
  append: readonly Entry[] = [],
): Step => {
  const question = { id: `q${state.seq}`, askedAt: at, message, ...ask } as const;
  return step({ ...state, phase: { kind: "awaitingApproval", question, call, rest: [], notes: [] } }, [
    ...append,
    entryAt(state, at, { kind: "asked", call, message, ask }),
  ]);
};

export const beginThinking = (
  state: State,
  append: readonly Entry[],
  parts = 0,
  before: readonly Effect[] = [],
): Step => {
  const id = nextEffectId(state);
  const read = readAdded(state, append);
  const phase = { kind: "thinking", request: id, attempt: 1, wait: null, parts } as const;
  return step({ ...read.state, phase }, read.append, [...before, { kind: "think", id, attempt: 1 }]);
};
