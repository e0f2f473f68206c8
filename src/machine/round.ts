/** The calls of one response run one at a time in the requested order (L5), each with exactly one result (L4). */

import { type Agent, AGENT_TIME, agentId } from "./agent.ts";
import { isFull } from "./context.ts";
import { beginSummary } from "./continuation.ts";
import type { Effect } from "./effect.ts";
import { DAY, type MessageId, type Millis } from "./id.ts";
import { validGrants, needsNetworkApproval, mayReachNetwork } from "./provenance.ts";
import { KERNEL_NEEDS } from "./refusal.ts";
import {
  type AwaitingApproval,
  effectivePermission,
  isFrozen,
  isPaused,
  mayWrite,
  type CallRound,
  type State,
} from "./state.ts";
import { nextEffectId, entryAt, noteEntry, noticeEntry, step, beginThinking } from "./step.ts";
import type { Decision, Entry, HostOutcome, Note, Notice, Outcome, RanOutcome } from "./transcript.ts";
import type { Step } from "./step.ts";
import type {
  WriteApproval,
  QuestionSpec,
  Call,
  Category,
  ModeApproval,
  DeniedKey,
  Permission,
  Request,
  ResultOrigin,
  WriteOutcome,
} from "./vocabulary.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

const ALREADY_UNRESTRICTED = "Already in Unrestricted mode";
export const APPROVED = "Approved: the conversation is now in Unrestricted mode.";
const DENIED = "Denied by user: the conversation stays in Restricted mode.";
const NOT_ALLOWED_BY_USER = "Denied by user: the call was not run. Do not try the same by other means.";
export const CANCELLED = "Cancelled by user";
export const WRITE_CUT =
  "Cancelled by user while it was being done: whether it was done is not known. Look at the forge, or at the checkout where a draft was to be applied, before asking for it again.";
export const CHANGES_ASKED = "Not applied: a person asks for changes and says which. The draft stays open.";
const SKIPPED = "Skipped due to cancellation";
export const NO_ROOM =
  "Not run: the context window is full, so this conversation ends here and goes on in a new one.";
const INTERRUPTED = "[Tool execution interrupted by server restart]";
const PAUSED =
  "Not asked: people have denied several requests of this conversation today, so no more are put before them for now. Go on without, and say what you would need: somebody who may approve can end the pause with *Ask again*.";
const NO_NESTING = "Not available: sub-agents cannot start sub-agents. Do the task yourself.";
const NO_PEOPLE =
  "Not available to sub-agents: they cannot ask people. Report with submit_result what would be needed, or with submit_error that you cannot go on.";
const SUBMIT_ALONE =
  "Not taken: submit_result and submit_error must be the only call of a response. Call it again by itself.";
const NOTHING_TO_SUBMIT = "Not available: only sub-agents submit results. Answer in the conversation.";
const SPEAKER_MAY_NOT =
  "Not available: the person who began this turn may only work in Restricted mode. Ask them to have someone who may approve repeat the request.";
const NOT_GIVEN =
  "Not asked: an approval would give nothing. Say in the answer what would have to be changed.";
const NOT_REQUESTED: Readonly<Record<Exclude<Request, "allowed">, string>> = {
  off: "Not asked: the person who began this turn may not have anything changed here. Say in the answer what you would change; somebody who may approve can ask for it.",
  open: "Not asked: another request of the person who began this turn still waits for an answer. Say in the answer what you would change.",
  often:
    "Not asked: there were three requests in this channel within an hour. Say in the answer what you would change.",
};
export const FROZEN = `Not run: the conversation is Restricted and this host cannot hold it (Restricted mode needs ${KERNEL_NEEDS}). Use request_mode_upgrade to ask for Unrestricted mode.`;

interface Left extends Omit<CallRound, "call"> {
  readonly message: MessageId;
}

/** Processes the next call: runs it, asks a person, or answers it at once. After the last call, asks the model. */
export const runNextCall = (
  state: State,
  { message, rest: calls, notes }: Left,
  at: Millis,
  append: readonly Entry[],
): Step => {
  const [call, ...rest] = calls;
  if (call === undefined)
    return beginThinking(state, [...append, ...notes.map((note) => noteEntry(state, at, note))]);
  if (isFull(state.context)) return noRoom(state, calls, notes, at, append);
  const left = { message, rest, notes };
  const unasked = upgradeRefusal(state, call);
  if (unasked !== null) {
    const { notice, text } = unasked;
    const isTold = notice === null || state.turn.denied.includes("upgrade");
    const denied = [...new Set([...state.turn.denied, "upgrade" as const])];
    const told = isTold ? [] : [noticeEntry(state, at, notice)];
    const after: State = isTold ? state : { ...state, turn: { ...state.turn, denied } };
    return runNextCall(after, left, at, [...append, ...told, result(state, at, call, hostError(text))]);
  }
  const answer = answerAtOnce(state, call);
  if (answer !== null) return runNextCall(state, left, at, [...append, result(state, at, call, answer)]);
  switch (call.intent) {
    case "tool":
    case "submit":
      return run(state, call, left, append, { grants: validGrants(state) });
    case "spawn":
      return spawn(state, call, left, append);
    case "upgrade":
    case "mode":
    case "ask":
      return askQuestion(state, call, left, at, append, askFor(state, call));
  }
};

/** L9: Ends the round, because the window became smaller while a person's decision was awaited. */
const noRoom = (
  state: State,
  calls: readonly Call[],
  notes: readonly Note[],
  at: Millis,
  append: readonly Entry[],
  before: readonly Effect[] = [],
): Step =>
  beginSummary(
    state,
    [
      ...append,
      ...calls.map((call) => result(state, at, call, hostError(NO_ROOM))),
      ...notes.map((note) => noteEntry(state, at, note)),
    ],
    calls,
    null,
    before,
  );

/** Asks `question`. If the same was denied in this turn, the call is answered with that denial (C30). */
export const askQuestion = (
  state: State,
  call: Call,
  left: Left,
  at: Millis,
  append: readonly Entry[],
  question: QuestionSpec,
): Step => {
  const until = pausedUntil(state, at);
  if (namesOf(question).some((name) => state.turn.denied.includes(name))) {
    return runNextCall(state, left, at, [
      ...append,
      result(state, at, call, hostError(denialText(question))),
    ]);
  }
  if (until !== null && question.kind !== "person") {
    const isTold = state.pause?.until === until;
    const told = isTold ? [] : [noticeEntry(state, at, { kind: "paused", until })];
    const paused: State = isTold ? state : { ...state, pause: { seq: state.seq, at, until } };
    return runNextCall(paused, left, at, [...append, ...told, result(state, at, call, hostError(PAUSED))]);
  }
  const { message, rest, notes } = left;
  const awaiting = { id: `q${state.seq}`, askedAt: at, message, ...question } as const;
  return step(
    { ...state, phase: { kind: "awaitingApproval", question: awaiting, call, rest, notes } },
    append,
  );
};

export const resumeHeldCall = (
  state: State,
  { call, ...left }: Left & CallRound,
  at: Millis,
  append: readonly Entry[],
  allowed: Allowed,
  effects: readonly Effect[] = [],
): Step =>
  isFull(state.context)
    ? noRoom(state, [call, ...left.rest], left.notes, at, append, effects)
    : run(state, call, left, append, allowed, effects);

export const heldRoundOf = (phase: AwaitingApproval): Left & CallRound => ({
  ...phase,
  message: phase.question.message,
});

export const result = (state: State, at: Millis, call: Call, outcome: HostOutcome): Entry =>
  entryAt(state, at, { kind: "result", call, outcome, origin: "host" });

export const ranResult = (
  state: State,
  at: Millis,
  call: Call,
  outcome: RanOutcome,
  origin: ResultOrigin,
): Entry => entryAt(state, at, { kind: "result", call, outcome, origin });

export const hostError = (text: string): Outcome & { kind: "host" } => ({
  kind: "host",
  text,
  isError: true,
  decision: null,
});

/** Outcome of a call that was running when the host ended. */
export const CUT: Outcome & { kind: "host" } = { ...hostError(INTERRUPTED), cut: true };

/** Closes a round early (L4): one synthetic result for the current call and one for each later call (BED-005). */
export const closeRound = (
  state: State,
  at: Millis,
  open: CallRound & { readonly agents?: readonly Agent[] },
  current: string | Outcome,
): readonly Entry[] => {
  const outcome = typeof current === "string" ? hostError(current) : current;
  const agents = omitUndefined({ agents: open.agents });
  const { call } = open;
  const first =
    outcome.kind === "ran"
      ? // Only sub-agents answer a call that ends early.
        ranResult(state, at, call, { ...outcome, ...agents }, "model")
      : result(state, at, call, { ...outcome, ...agents });
  return [first, ...skipped(state, at, open)];
};

export const skipped = (
  state: State,
  at: Millis,
  { rest, notes }: Omit<CallRound, "call">,
): readonly Entry[] => [
  ...rest.map((call) => result(state, at, call, hostError(SKIPPED))),
  ...notes.map((note) => noteEntry(state, at, note)),
];

const answerAtOnce = (state: State, call: Call): HostOutcome | null => {
  const isAgent = state.kind === "subagent";
  switch (call.intent) {
    case "submit":
      return hostError(isAgent ? SUBMIT_ALONE : NOTHING_TO_SUBMIT);
    case "spawn":
      if (isAgent) return hostError(NO_NESTING);
      return isFrozen(state) ? hostError(FROZEN) : null;
    case "upgrade":
      if (isAgent) return hostError(NO_PEOPLE);
      return mayWrite(state, call) ? hostError(ALREADY_UNRESTRICTED) : null;
    case "ask":
      return isAgent ? hostError(NO_PEOPLE) : null;
    case "mode":
      if (isAgent) return hostError(NO_PEOPLE);
      return call.mode === state.mode && !call.branch
        ? keepModeOutcome(state, null, askFor(state, call))
        : null;
    case "tool":
      return isFrozen(state) ? hostError(FROZEN) : null;
  }
};

/** Without a decision, the requested mode was already set. */
export const keepModeOutcome = (
  { mode }: State,
  decision: Decision | null,
  ask: QuestionSpec,
): HostOutcome => ({
  kind: "mode",
  success: decision === null,
  mode,
  branch: false,
  decision,
  ask,
});

const askFor = ({ turn }: State, call: Call & { intent: "upgrade" | "mode" | "ask" }): QuestionSpec => {
  if (call.intent === "ask")
    return { kind: "person", choices: call.choices, ...omitUndefined({ plan: call.plan }) };
  if (call.intent === "mode") return { kind: "mode", mode: call.mode, branch: call.branch };
  const { speaker } = turn;
  const from = speaker === null || speaker.mayDrive ? undefined : { how: "request" as const, by: speaker.id };
  return { kind: "upgrade", ...omitUndefined({ from, on: call.on }) };
};

/** `text` is for the model, `notice` for people. Null if a person is asked, or if the call is no upgrade. */
const upgradeRefusal = (
  state: State,
  call: Call,
): { readonly text: string; readonly notice: Notice | null } | null => {
  if (call.intent !== "upgrade" || state.kind === "subagent") return null;
  if (mayWrite(state, call)) return null;
  const host = state.offer?.refused ?? null;
  if (host !== null) return { text: `${NOT_GIVEN} ${host}`, notice: { kind: "notAsked", why: { host } } };
  const { speaker } = state.turn;
  if (speaker?.mayDrive === true || call.request === "allowed") return null;
  if (speaker === null || call.request === undefined) return { text: SPEAKER_MAY_NOT, notice: null };
  const notice: Notice = { kind: "notAsked", why: { request: call.request, by: speaker.id } };
  return { text: NOT_REQUESTED[call.request], notice };
};

export const namesOf = (question: QuestionSpec): readonly DeniedKey[] => {
  switch (question.kind) {
    case "danger":
      return question.categories;
    case "write":
      return [question.scope === undefined ? question.write : `shown:${question.fingerprint}`];
    case "result":
      return ["apply_draft"];
    case "answer":
    case "person":
      return [];
    case "upgrade":
    case "mode":
      return [question.kind];
  }
};

export const denialText = (question: QuestionSpec): string =>
  question.kind === "upgrade" ? DENIED : NOT_ALLOWED_BY_USER;

const pausedUntil = (state: State, at: Millis): Millis | null => {
  const oldest = isPaused(state) ? state.denials[0] : undefined;
  return oldest === undefined || at - oldest >= DAY ? null : oldest + DAY;
};

/** The call waits for all its agents before the next call starts (D14). */
const spawn = (
  state: State,
  call: Call & { intent: "spawn" },
  { message, rest, notes }: Left,
  append: readonly Entry[],
): Step => {
  const id = nextEffectId(state);
  const agents = call.agents.map(({ model = state.model }, index) => ({
    id: agentId(state.id, id, index),
    model,
  }));
  const phase = {
    kind: "awaitingAgents",
    effect: id,
    message,
    call,
    agents: agents.map((agent) => ({ ...agent, end: null })),
    rest,
    notes,
    wait: { for: id, delay: AGENT_TIME },
    hurried: false,
  } as const;
  return step({ ...state, phase }, append, [{ kind: "spawn", id, call, agents }]);
};

interface Allowed {
  readonly grants: readonly Category[];
  readonly fingerprint?: string;
  readonly approved?: WriteApproval;
  readonly confirmed?: ModeApproval;
}

export const wroteEntry = (
  state: State,
  at: Millis,
  { write, by }: WriteApproval,
  wrote: WriteOutcome,
): Entry => noticeEntry(state, at, { kind: "wrote", write, by: by.id, wrote });

/** A call gets no network after content that no card for network access has named. */
export const sealOf = (state: State, permission: Permission): { readonly sealed?: true } =>
  permission === "unrestricted" && needsNetworkApproval(state) ? { sealed: true } : {};

const run = (
  state: State,
  call: Call,
  { message, rest, notes }: Left,
  append: readonly Entry[],
  allowed: Allowed,
  before: readonly Effect[] = [],
): Step => {
  const id = nextEffectId(state);
  const permission = effectivePermission(state);
  const sealed = sealOf(state, permission);
  const effect: Effect = { kind: "run", id, call, permission, ...allowed, ...sealed };
  const { safeMode } = state;
  const reaches = mayReachNetwork({ permission, safeMode, ...allowed, ...sealed });
  // Through shared files, untrusted content could reach commands that already use the network, so those commands end.
  const { online, ...offline } = state;
  const ends = sealed.sealed === true && online === true;
  const phase = {
    kind: "running",
    effect: id,
    message,
    call,
    rest,
    notes,
    ...omitUndefined({
      approved: allowed.approved,
      confirmed: allowed.confirmed,
      online: reaches || undefined,
    }),
  } as const;
  const kill: readonly Effect[] = ends ? [{ kind: "killBackground" }] : [];
  const after: State = ends ? { ...offline, background: false } : state;
  return step({ ...after, phase }, append, [...before, ...kill, effect]);
};
