/** The core decides only on this small, immutable state. Data lives inside the phase that needs it. */

import type { Agent, AgentHow, Handed } from "./agent.ts";
import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import type { Note } from "./transcript.ts";
import {
  type WriteApproval,
  type QuestionSpec,
  type Call,
  type CopyOutcome,
  type Category,
  type Confinement,
  type ModeApproval,
  type DeniedKey,
  type Failure,
  type LaterMessage,
  type ModelChoice,
  noUsage,
  type UnrestrictedOffer,
  type Permission,
  type Speaker,
  type ThreadGrant,
  type StopCause,
  type UnconfirmedWrite,
  type ReviewDelay,
  type UntrustedContent,
  type Usage,
  type Utterance,
} from "./vocabulary.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

export interface State {
  readonly id: ConversationId;
  readonly kind: "thread" | "subagent";
  readonly parent: ConversationId | null;
  readonly permission: Permission;
  /** Repository that Unrestricted may write by the latest approval, if the conversation has several; the first if absent. */
  readonly writes?: string;
  readonly confinement: Confinement;
  /** Effect of an approval on this host; absent in a sub-agent before its first `woken`. */
  readonly offer?: UnrestrictedOffer;
  /** Key of the work mode in the catalog. */
  readonly mode: string;
  readonly safeMode: boolean;
  /** Danger categories granted for this thread. They live in memory only and end at the next `woken` (C27). */
  readonly grants: readonly Category[];
  /** Scopes of writes allowed for this thread. Like grants, they live in memory only. Absent if there are none. */
  readonly standing?: readonly ThreadGrant[];
  readonly model: string;
  readonly context: Context;
  readonly usage: Usage;
  /** Whether commands that outlive their call may be running (BASH-003). */
  readonly background: boolean;
  /** Whether some background commands may use the network. */
  readonly online?: true;
  /** Untrusted content that the model has read; absent if it has read only the checkout. */
  readonly untrusted?: UntrustedContent;
  /** Files that the latest speaker sent; absent if there are none. */
  readonly ownFiles?: { readonly by: PersonId; readonly count: number };
  /** Untrusted content that was on the card when network access was approved; absent if there was none. */
  readonly shown?: UntrustedContent;
  /** Set from the first `woken` on: content read later limits earlier approvals (L15). */
  readonly guarded?: true;
  /** Times of the latest denials, oldest first; at most DENIALS_A_DAY. */
  readonly denials: readonly Millis[];
  readonly pause?: Pause;
  /** Limit that a sub-agent has reached. The sub-agent has one response left. */
  readonly grace?: "turns" | "time";
  readonly unsure?: readonly UnconfirmedWrite[];
  /** Requested threads without an outcome yet (D6: durable). */
  readonly branches: readonly Branch[];
  /** Messages that start turns by themselves once no turn runs, oldest first, at most one per person. Absent if there are none. */
  readonly waiting?: readonly LaterMessage[];
  /** Number of accepted events. Every id of the core derives from this counter. */
  readonly seq: number;
  readonly turn: Turn;
  readonly phase: Phase;
}

interface Branch {
  readonly effect: EffectId;
  readonly mode: string;
  readonly by: PersonId;
  /** Absent if the thread starts from the last message of a person (D16). */
  readonly seed?: Seed;
}

export interface Seed {
  /** Null if the thread starts empty. */
  readonly summary: MessageId | null;
  readonly speaker: Speaker;
}

export interface Context {
  /** Tokens of the last response, cache reads and writes included (C16). */
  readonly used: number;
  readonly window: number;
  /** Whether the warning of BED-023 was posted for this crossing of the mark. */
  readonly warned: boolean;
  readonly warning?: Warning;
}

/** Post of a pause. The text of the post stays constant while its button disappears. */
interface Pause {
  readonly seq: number;
  readonly at: Millis;
  /** Time at which the oldest denial is one day old. */
  readonly until: Millis;
}

interface Warning {
  readonly seq: number;
  readonly at: Millis;
  readonly used: number;
}

/** Latest turn, started by one message. `no` is 0 before the first turn. */
interface Turn {
  readonly no: number;
  readonly speaker: Speaker | null;
  readonly begun: Millis;
  /** Number of responses with tool uses. */
  readonly rounds: number;
  /** Denials of this turn. The same question gets the same answer again (C30). */
  readonly denied: readonly DeniedKey[];
  readonly usage: Usage;
  /** Set if a person continued after a warning about the cost. */
  readonly confirmed?: true;
  /** Channel of the review; absent if answers are not reviewed. */
  readonly reviewed?: string;
  /** The thread's own model while a fallback answers. The own model returns at the end of the turn. */
  readonly own?: ModelChoice;
  readonly reused?: true;
  /** Messages for the next request. Their authors' rights already limit `speaker`. Absent if there are none. */
  readonly added?: readonly LaterMessage[];
  /** Authors of all messages that were added to the turn. Absent if there are none. */
  readonly authors?: readonly PersonId[];
  readonly end: TurnEnd | null;
}

export interface TurnEnd {
  readonly at: Millis;
  /** `discarded`: the answer exists, but a reviewer decided not to post it. */
  readonly why: "answered" | "stopped" | "interrupted" | "failed" | "discarded";
}

export type Phase =
  | { readonly kind: "idle" }
  | ThinkingPhase
  | RunningPhase
  | AwaitingApproval
  | AwaitingAgents
  | StoppingPhase
  | SummarizingPhase
  | ExhaustedPhase
  | Failed
  | Ended;

interface Failed {
  readonly kind: "failed";
  readonly failure: Failure;
  readonly other?: ModelChoice;
}

export interface RequestPhase {
  readonly request: EffectId;
  /** 1 … ATTEMPTS (C8). */
  readonly attempt: number;
  /** Set during the wait before attempt `attempt`. The shell waits for `delay`, independent of clock changes (D11). */
  readonly wait: { readonly for: EffectId; readonly delay: Millis; readonly failure: Failure } | null;
}

export interface ThinkingPhase extends RequestPhase {
  readonly kind: "thinking";
  /** Number of unfinished responses of this turn that are being continued (C23). */
  readonly parts: number;
}

export interface CallRound {
  readonly call: Call;
  readonly rest: readonly Call[];
  /** Delayed until the round's last result (C5). */
  readonly notes: readonly Note[];
}

interface Working extends CallRound {
  readonly effect: EffectId;
  /** The response that requested the calls. */
  readonly message: MessageId;
}

export interface RunningPhase extends Working {
  readonly kind: "running";
  /** Approved write to the forge or of a draft; survives the process. */
  readonly approved?: WriteApproval;
  /** Confirmed change of the work mode; survives the process. */
  readonly confirmed?: ModeApproval;
  readonly online?: true;
}

/** Waits for a person's decision, without a timer and across restarts (BED-015, idea 4). */
export interface AwaitingApproval extends CallRound {
  readonly kind: "awaitingApproval";
  readonly question: Question;
}

type Question = {
  readonly id: QuestionId;
  readonly askedAt: Millis;
  /** The response whose call asks. */
  readonly message: MessageId;
  /** Delays that the thread was already notified about while the answer waited for its review. */
  readonly told?: readonly ReviewDelay[];
} & QuestionSpec;

/** Sub-agents work on the tasks of a call. The call returns one aggregate of their results (D14). */
export interface AwaitingAgents extends Working {
  readonly kind: "awaitingAgents";
  readonly agents: readonly Agent[];
  /** Time limit of the agents, then their grace period; null once the agents are being ended. */
  readonly wait: { readonly for: EffectId; readonly delay: Millis } | null;
  /** Whether the time limit passed and the agents were asked to submit their current results. */
  readonly hurried: boolean;
}

interface Ended {
  readonly kind: "ended";
  readonly how: AgentHow;
  readonly why?: string;
  readonly result: Handed | null;
}

/** Stop was requested while a tool ran. The tool's result is awaited for at most `delay` (C3). */
export interface StoppingPhase extends Working {
  readonly kind: "stopping";
  readonly wait: { readonly for: EffectId; readonly delay: Millis };
  readonly agents?: readonly Agent[];
  readonly by: PersonId;
  readonly why?: StopCause;
  readonly approved?: WriteApproval;
  /** Message of *Stop and send this*, delayed until the stop is complete (D7). */
  readonly then: Utterance | null;
}

/** Request without tools for the summary from which another conversation continues (BED-020). */
export interface SummarizingPhase extends RequestPhase {
  readonly kind: "summarizing";
  /** Calls of the response that reached the limit. None of them runs. */
  readonly rejected: readonly Call[];
  /** Null if the window was full. */
  readonly by: PersonId | null;
}

/** Accepts no more messages and survives restarts. A person chooses how to continue (BED-021). */
export interface ExhaustedPhase {
  readonly kind: "exhausted";
  readonly summary: MessageId | null;
  /** The one conversation that continues this one; null until it exists. */
  readonly next: ConversationId | null;
  readonly link?: string;
  readonly carried?: CopyOutcome;
}

interface Creation {
  readonly id: ConversationId;
  readonly confinement: Confinement;
  readonly offer?: UnrestrictedOffer;
  readonly mode: string;
  readonly safeMode: boolean;
  readonly model: string;
  readonly window: number;
  readonly parent?: ConversationId;
}

/** Restricted if the kernel can enforce that, whatever the parent is. Otherwise people are notified (BED-014, BED-018). */
export const initial = (creation: Creation): State => ({
  id: creation.id,
  kind: creation.parent === undefined ? "thread" : "subagent",
  parent: creation.parent ?? null,
  permission: creation.confinement === "enforced" ? "restricted" : "unrestricted",
  confinement: creation.confinement,
  ...omitUndefined({ offer: creation.offer }),
  mode: creation.mode,
  safeMode: creation.safeMode,
  grants: [],
  model: creation.model,
  context: { used: 0, window: creation.window, warned: false },
  usage: noUsage,
  background: false,
  denials: [],
  branches: [],
  seq: 0,
  turn: { no: 0, speaker: null, begun: 0, rounds: 0, denied: [], usage: noUsage, end: null },
  phase: { kind: "idle" },
});

/** D1: Returns the stricter of the conversation's permission and the rights of the turn's speaker. */
export const effectivePermission = (state: State): Permission =>
  state.permission === "unrestricted" && state.turn.speaker?.mayDrive === true
    ? "unrestricted"
    : "restricted";

/** A grant for another one of several repositories does not count. */
export const mayWrite = (state: State, { on }: { readonly on?: string }): boolean =>
  effectivePermission(state) === "unrestricted" && (on === undefined || on === state.writes);

/** D1: Returns the turn's speaker, limited to rights that `by` has too. */
export const speakerWithRightsOf = ({ turn }: Pick<State, "turn">, by: Speaker): Speaker =>
  turn.speaker === null
    ? by
    : {
        ...turn.speaker,
        mayDrive: turn.speaker.mayDrive && by.mayDrive,
        mayApprove: turn.speaker.mayApprove && by.mayApprove,
      };

/** D3: Whether the conversation is Restricted but the kernel cannot enforce that. Nothing runs until an upgrade. */
export const isFrozen = (state: State): boolean =>
  state.confinement === "unavailable" && effectivePermission(state) === "restricted";

/** D3: Whether a turn may begin. Without kernel support, a turn that needs Restricted does not begin. */
export const mayBegin = (state: State, speaker: Speaker): boolean =>
  speaker.mayDrive || state.confinement === "enforced";

/** Denials in a day after which no question is asked until the oldest denial is one day old. */
export const DENIALS_A_DAY = 3;

/** The caller checks whether the pause has expired. */
export const isPaused = ({ denials }: State): boolean => denials.length >= DENIALS_A_DAY;

/** True for an ended sub-agent and an exhausted conversation too. */
export const isTurnOver = ({ kind }: Phase): boolean =>
  kind === "idle" || kind === "failed" || kind === "exhausted" || kind === "ended";

export const isSettled = (phase: Phase): boolean => isTurnOver(phase) || phase.kind === "awaitingApproval";

/** Null during the wait for another attempt and after a stop. */
export const inFlight = ({ phase }: State, request: EffectId): ThinkingPhase | SummarizingPhase | null =>
  (phase.kind === "thinking" || phase.kind === "summarizing") &&
  phase.wait === null &&
  phase.request === request
    ? phase
    : null;

/** Whether a person has to confirm the cost before the turn can continue. */
export const isCostly = (phase: Phase): boolean => phase.kind === "failed" && phase.failure.kind === "costly";

/** Whether this host refuses Unrestricted commands, so that an approval would have no effect. */
export const isRefused = ({ offer }: State): boolean => offer !== undefined && offer.refused !== null;

export const askerOf = ({ phase, turn }: State): PersonId | null =>
  (phase.kind === "awaitingApproval" && phase.question.kind === "upgrade"
    ? phase.question.from?.by
    : undefined) ??
  turn.speaker?.id ??
  null;

/** The requester and everybody who added a message to the turn: the two-person rule bars all of them. */
export const requestersOf = (state: State): readonly (PersonId | null)[] => [
  askerOf(state),
  ...(state.turn.authors ?? []),
];

/** Whether no call of the model waits for the answer: for an upgrade by command, or an answer in review. */
export const isWithoutCall = (ask: QuestionSpec): boolean =>
  ask.kind === "answer" || (ask.kind === "upgrade" && ask.from?.how === "command");

export const askOf = (question: Question): QuestionSpec => {
  switch (question.kind) {
    case "upgrade":
      return { kind: "upgrade", ...omitUndefined({ from: question.from, on: question.on }) };
    case "danger": {
      const { categories, shown, fingerprint } = question;
      return { kind: "danger", categories, shown, fingerprint };
    }
    case "mode":
      return { kind: "mode", mode: question.mode, branch: question.branch };
    case "write": {
      const { write, scope, shown, fingerprint, review } = question;
      return {
        kind: "write",
        write,
        ...omitUndefined({ scope }),
        shown,
        fingerprint,
        ...omitUndefined({ review }),
      };
    }
    case "result": {
      const { shown, fingerprint, pull, commits } = question;
      return { kind: "result", shown, fingerprint, pull, ...omitUndefined({ commits }) };
    }
    case "answer":
      return { kind: "answer", place: question.place };
    case "person":
      return { kind: "person", choices: question.choices, ...omitUndefined({ plan: question.plan }) };
  }
};
