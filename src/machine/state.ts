/**
 * The state of one conversation: small, immutable, and everything the core may decide on. The transcript is
 * appended beside it. Data lives inside the phase that needs it.
 */

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
} from "./words.ts";
import { omitUndefined } from "../text/given.ts";

export interface State {
  readonly id: ConversationId;
  readonly kind: "thread" | "subagent";
  readonly parent: ConversationId | null;
  readonly permission: Permission;
  /** The one of several repositories that Unrestricted writes, as people allowed it last; absent: the first. */
  readonly writes?: string;
  readonly confinement: Confinement;
  /** Effect of an approval on this host; a sub-agent has none before its first `woken`. */
  readonly offer?: UnrestrictedOffer;
  /** Key of the work mode in the catalogue. */
  readonly mode: string;
  readonly safeMode: boolean;
  /** Danger categories granted for this thread: in memory only, gone at the next `woken` (C27). */
  readonly grants: readonly Category[];
  /** Writes of a scope that a person let through for this thread: as grants in memory only; absent where there are none. */
  readonly standing?: readonly ThreadGrant[];
  readonly model: string;
  readonly context: Context;
  /** Sum over the conversation's life. */
  readonly usage: Usage;
  /** Commands that outlive their call may be running (BASH-003). */
  readonly background: boolean;
  /** Some of them may use the network. */
  readonly online?: true;
  /** What the model has read of others; absent where nothing but the checkout. */
  readonly untrusted?: UntrustedContent;
  /** What of it a person was shown who let commands use the network; absent where nothing. */
  readonly shown?: UntrustedContent;
  /** The first `woken` has come: content that was read bounds what clicks allowed (L15). */
  readonly guarded?: true;
  /** When people last denied a request, oldest first; at most DENIALS_A_DAY. */
  readonly denials: readonly Millis[];
  /** The latest pause after them, as people are told of it; absent where there was none. */
  readonly pause?: Pause;
  /** A sub-agent that has reached this limit and has one response left. */
  readonly grace?: "turns" | "time";
  /** Writes to the forge that may have come about; absent where none is in doubt. */
  readonly unsure?: readonly UnconfirmedWrite[];
  /** New threads asked for and not yet answered (D6: durable). */
  readonly branches: readonly Branch[];
  /** Accepted events so far; every id of the core derives from it. */
  readonly seq: number;
  readonly turn: Turn;
  readonly phase: Phase;
}

interface Branch {
  readonly effect: EffectId;
  readonly mode: string;
  readonly by: PersonId;
  /** Where it continues this conversation; absent: begun with the last thing that a person said (D16). */
  readonly seed?: Seed;
}

/** What a continuation begins with (BED-021). */
export interface Seed {
  /** Words of the summary that is said first; null: nothing is. */
  readonly summary: MessageId | null;
  /** Who chose it. */
  readonly speaker: Speaker;
}

export interface Context {
  /** Tokens of the last response, cache reads and writes included (C16). */
  readonly used: number;
  readonly window: number;
  /** The warning of BED-023 has been shown for this crossing. */
  readonly warned: boolean;
  /** The warning that stands; absent if none does. */
  readonly warning?: Warning;
}

/** The post of a pause: it stays the same while its button goes. */
interface Pause {
  readonly seq: number;
  readonly at: Millis;
  /** When the oldest of the denials is a day old. */
  readonly until: Millis;
}

/** The post of a warning: it stays the same while its button comes and goes. */
interface Warning {
  readonly seq: number;
  readonly at: Millis;
  readonly used: number;
}

/** The latest turn: what one message set off. `no` is 0 before the first. */
interface Turn {
  readonly no: number;
  readonly speaker: Speaker | null;
  readonly begun: Millis;
  /** Responses with tool uses so far; bounds a model that never ends. */
  readonly rounds: number;
  /** What was denied in this turn; asking again gets the same answer (C30). */
  readonly denied: readonly DeniedKey[];
  readonly usage: Usage;
  /** People were told that it is dear, and went on. */
  readonly confirmed?: true;
  /** The channel in which somebody looks at its answer before it is posted; absent where nobody does. */
  readonly reviewed?: string;
  /** The thread's own model, while another one stands in for it; it answers again once the turn is over. */
  readonly own?: ModelChoice;
  /** Its answer was given before, in another conversation. */
  readonly reused?: true;
  readonly end: TurnEnd | null;
}

export interface TurnEnd {
  readonly at: Millis;
  /** `discarded`: there is an answer, and a person decided that it is not posted. */
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
  /** Another model that could be asked; absent where there is none. */
  readonly other?: ModelChoice;
}

export interface RequestPhase {
  /** The request in flight, or the wait before it. */
  readonly request: EffectId;
  /** 1 … ATTEMPTS (C8). */
  readonly attempt: number;
  /** Set while waiting before attempt `attempt`; the shell waits `delay` whatever the clock does (D11). */
  readonly wait: { readonly for: EffectId; readonly delay: Millis; readonly failure: Failure } | null;
}

export interface ThinkingPhase extends RequestPhase {
  readonly kind: "thinking";
  /** Responses of this turn that ended before they were finished and are being continued (C23). */
  readonly parts: number;
}

/** The calls of one response: the current one, and what waits for its result. */
export interface CallRound {
  readonly call: Call;
  readonly rest: readonly Call[];
  /** Held until the round's last result (C5). */
  readonly notes: readonly Note[];
}

interface Working extends CallRound {
  readonly effect: EffectId;
  /** The response that asked for the calls. */
  readonly message: MessageId;
}

export interface RunningPhase extends Working {
  readonly kind: "running";
  /** Set while what was approved is being done, a write to the forge or what becomes of a draft; it outlives the process. */
  readonly approved?: WriteApproval;
  /** Set while a confirmed change of the work mode is being made; it outlives the process. */
  readonly confirmed?: ModeApproval;
  /** Its commands may use the network. */
  readonly online?: true;
}

/** A person's answer is awaited: no timer, survives restarts (BED-015, idea 4). */
export interface AwaitingApproval extends CallRound {
  readonly kind: "awaitingApproval";
  readonly question: Question;
}

type Question = {
  readonly id: QuestionId;
  readonly askedAt: Millis;
  /** The response whose call asks; its reason is words. */
  readonly message: MessageId;
  /** What the thread was told while nobody decided on an answer: that it is long ago, that nobody can. */
  readonly told?: readonly ReviewDelay[];
} & QuestionSpec;

/** Sub-agents work on the tasks of a call; what it returns is one aggregate of what each came to (D14). */
export interface AwaitingAgents extends Working {
  readonly kind: "awaitingAgents";
  readonly agents: readonly Agent[];
  /** Their time, then the grace; null once they are being ended. */
  readonly wait: { readonly for: EffectId; readonly delay: Millis } | null;
  /** Their time is over: they have been told to hand in what they have. */
  readonly hurried: boolean;
}

/** Where sub-agents end: nothing is taken any more. */
interface Ended {
  readonly kind: "ended";
  readonly how: AgentHow;
  /** One sentence of the host where it failed. */
  readonly why?: string;
  readonly result: Handed | null;
}

/** Stop was asked while a tool ran: bounded, the tool's own result is not awaited beyond `delay` (C3). */
export interface StoppingPhase extends Working {
  readonly kind: "stopping";
  readonly wait: { readonly for: EffectId; readonly delay: Millis };
  /** Those that are being stopped. */
  readonly agents?: readonly Agent[];
  readonly by: PersonId;
  readonly why?: StopCause;
  /** The write to the forge that was being done. */
  readonly approved?: WriteApproval;
  /** What Stop and send holds until the stop is through (D7). */
  readonly then: Utterance | null;
}

/** A tool-less request for the summary that another conversation goes on from (BED-020). */
export interface SummarizingPhase extends RequestPhase {
  readonly kind: "summarizing";
  /** Calls of the response that reached the limit: none of them is run. */
  readonly rejected: readonly Call[];
  /** Who asked for it; null where the window was full. */
  readonly by: PersonId | null;
}

/** Takes no more messages, survives restarts; a person chooses how it goes on (BED-021). */
export interface ExhaustedPhase {
  readonly kind: "exhausted";
  /** Words; null where there is no summary. */
  readonly summary: MessageId | null;
  /** The one conversation that goes on from here; null before it is there. */
  readonly next: ConversationId | null;
  /** The address of its thread on a chat platform. */
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
  /** Of a sub-agent (BED-009). */
  readonly parent?: ConversationId;
}

/** BED-014, BED-018: Restricted where the kernel can hold it, whatever a parent is; else Unrestricted, said to everyone. */
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

/** D1: the stricter of the conversation's permission and what the turn's speaker may do. */
export const effectivePermission = (state: State): Permission =>
  state.permission === "unrestricted" && state.turn.speaker?.mayDrive === true
    ? "unrestricted"
    : "restricted";

/** What such a call asks for is allowed already: another one of several repositories is not. */
export const mayWrite = (state: State, { on }: { readonly on?: string }): boolean =>
  effectivePermission(state) === "unrestricted" && (on === undefined || on === state.writes);

/** D3: Restricted that the kernel cannot hold. Nothing runs until a person upgrades it. */
export const isFrozen = (state: State): boolean =>
  state.confinement === "unavailable" && effectivePermission(state) === "restricted";

/** D3: where the kernel cannot hold Restricted, a turn that only Restricted would allow does not begin. */
export const mayBegin = (state: State, speaker: Speaker): boolean =>
  speaker.mayDrive || state.confinement === "enforced";

/** Denials in a day after which nothing more is asked until the oldest of them is a day old. */
export const DENIALS_A_DAY = 3;

/** Nothing is put before people, unless time has ended it. */
export const isPaused = ({ denials }: State): boolean => denials.length >= DENIALS_A_DAY;

/** No turn is under way: a sub-agent has ended, or a conversation goes on elsewhere, too. */
export const isTurnOver = ({ kind }: Phase): boolean =>
  kind === "idle" || kind === "failed" || kind === "exhausted" || kind === "ended";

/** The same, or it waits for a person's answer. */
export const isSettled = (phase: Phase): boolean => isTurnOver(phase) || phase.kind === "awaitingApproval";

/** The request of that name, where it is in flight: not while another attempt is waited for, or after a stop. */
export const inFlight = ({ phase }: State, request: EffectId): ThinkingPhase | SummarizingPhase | null =>
  (phase.kind === "thinking" || phase.kind === "summarizing") &&
  phase.wait === null &&
  phase.request === request
    ? phase
    : null;

/** A person is asked whether the turn may go on, for what it costs. */
export const isCostly = (phase: Phase): boolean => phase.kind === "failed" && phase.failure.kind === "costly";

/** This host refuses Unrestricted commands: an approval would give nothing. */
export const isRefused = ({ offer }: State): boolean => offer !== undefined && offer.refused !== null;

/** Who asks: whoever said so by command, else whose turn it is. */
export const askerOf = ({ phase, turn }: State): PersonId | null =>
  (phase.kind === "awaitingApproval" && phase.question.kind === "upgrade"
    ? phase.question.from?.by
    : undefined) ??
  turn.speaker?.id ??
  null;

/** No call of the model waits for it: a person asks for write access by command, or an answer is to be posted. */
export const isWithoutCall = (ask: QuestionSpec): boolean =>
  ask.kind === "answer" || (ask.kind === "upgrade" && ask.from?.how === "command");

/** What a question asks, without its name and date. */
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
      const { write, scope, shown, fingerprint } = question;
      return { kind: "write", write, ...omitUndefined({ scope }), shown, fingerprint };
    }
    case "result": {
      const { shown, fingerprint, pull, commits } = question;
      return { kind: "result", shown, fingerprint, pull, ...omitUndefined({ commits }) };
    }
    case "answer":
      return { kind: "answer", place: question.place };
  }
};
