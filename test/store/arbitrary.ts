/** Every value that the core's types allow, for properties of the store. A new kind does not compile without one. */

import fc from "fast-check";
import { type Agent, AGENT_ENDS, type AgentEnd, type Gathered } from "../../src/machine/agent.ts";
import type { Effect } from "../../src/machine/effect.ts";
import type { Event, EventKind } from "../../src/machine/event.ts";
import type { MessageId, PersonId } from "../../src/machine/id.ts";
import type { Phase, State } from "../../src/machine/state.ts";
import type { Decision, Entry, EntryKind, Note, Notice, Outcome } from "../../src/machine/transcript.ts";
import {
  ANSWERS,
  type WriteApproval,
  type QuestionSpec,
  type Call,
  CATEGORIES,
  type Category,
  type EarlierAnswer,
  type Failure,
  type Intent,
  type CheckoutRestored,
  type Setup,
  type Speaker,
  type StopCause,
  type ReviewDelay,
  type Usage,
  type LaterMessage,
  type Utterance,
  WRITES,
  type WriteOutcome,
  type ResultOrigin,
  type SpeakerOrigin,
} from "../../src/machine/vocabulary.ts";
import type { Claim } from "../../src/ports/claims.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { DELICATE } from "../../src/thread/draft.ts";
import type {
  AnswerBlock,
  DraftReference,
  FileRef,
  ImageRef,
  StoredContent,
} from "../../src/thread/prompt.ts";

type Kinds<T extends { readonly kind: string }> = {
  readonly [K in T["kind"]]: fc.Arbitrary<T & { kind: K }>;
};

/** Any string JavaScript can hold: control characters, NUL, half surrogates. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
);
export const wellFormed = fc.string({ unit: "binary", maxLength: 20 });

const n = fc.maxSafeNat();
const id = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const message: fc.Arbitrary<MessageId> = id.map((name) => `m-${name}` as const);
const effectId = fc.nat().map((seq) => `e${seq}` as const);
const conversationId = id.map((name) => `c-${name}` as const);
const questionId = fc.nat().map((seq) => `q${seq}` as const);
const person: fc.Arbitrary<PersonId> = fc
  .tuple(fc.constantFrom("console", "slack", "discord"), id)
  .map(([surface, name]) => `${surface}:${name}` as const);

export const speaker: fc.Arbitrary<Speaker> = fc.record({
  id: person,
  mayDrive: fc.boolean(),
  mayApprove: fc.boolean(),
});
const utterance: fc.Arbitrary<Utterance> = fc.record(
  { message, speaker, images: fc.nat(), reviewed: text },
  { requiredKeys: ["message", "speaker", "images"] },
);
const addition = fc.record(
  { message, speaker, images: fc.nat(), edited: fc.constant(true) },
  { requiredKeys: ["message", "speaker", "images"] },
);
const laterMessage: fc.Arbitrary<LaterMessage> = fc
  .tuple(addition, n)
  .map(([added, at]) => ({ ...added, at }));
const unseen = fc.constantFrom<ReviewDelay>("late", "unreachable");
const intent: fc.Arbitrary<Intent> = fc.oneof(
  fc.constant({ intent: "tool" } as const),
  fc.constantFrom({ intent: "upgrade" } as const, { intent: "upgrade", request: "allowed" } as const),
  fc.record({ intent: fc.constant("mode"), mode: text, branch: fc.boolean() }),
  fc.record({
    intent: fc.constant("spawn"),
    agents: fc.array(fc.record({ model: text }, { requiredKeys: [] }), { maxLength: 3 }),
  }),
  fc.record({ intent: fc.constant("submit"), success: fc.boolean() }),
  fc.record(
    { intent: fc.constant("ask"), choices: n, plan: fc.constant(true) },
    { requiredKeys: ["intent", "choices"] },
  ),
);
const call: fc.Arbitrary<Call> = fc
  .tuple(fc.record({ id: text, name: text }), intent)
  .map(([named, wish]) => ({ ...named, ...wish }));
const calls = fc.array(call, { maxLength: 3 });
const usage: fc.Arbitrary<Usage> = fc.record({
  input: n,
  output: n,
  cacheRead: n,
  cacheWrite: n,
  costMicroUsd: n,
});
const agentHow = fc.constantFrom(...AGENT_ENDS);
const agentEnd: fc.Arbitrary<AgentEnd> = fc.record(
  { how: agentHow, usage, why: text },
  { requiredKeys: ["how", "usage"] },
);
const agents: fc.Arbitrary<readonly Agent[]> = fc.array(
  fc.record({ id: conversationId, model: text, end: fc.option(agentEnd) }),
  { maxLength: 3 },
);
const gathered: fc.Arbitrary<Gathered> = fc.record({
  message,
  isError: fc.boolean(),
  ends: fc.array(agentEnd, { maxLength: 3 }),
});
const failure: fc.Arbitrary<Failure> = fc.record(
  {
    kind: fc.constantFrom<Failure["kind"]>(
      "auth",
      "rate_limit",
      "overloaded",
      "network",
      "invalid_request",
      "context",
      "billing",
      "not_found",
      "workspace",
      "limit",
      "budget",
      "costly",
      "unknown",
    ),
    message: text,
    retryAfter: fc.option(n),
    told: fc.array(
      fc.record({
        text,
        values: fc.dictionary(
          fc.constantFrom("time", "what"),
          fc.oneof(text, fc.nat(), fc.record({ lasts: fc.nat() })),
          {
            noNullPrototype: true,
          },
        ),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ["kind", "message", "retryAfter"] },
);
const stop = fc.constantFrom("end", "tools", "max_tokens", "pause", "refusal", "window");
const cause = fc.constantFrom<StopCause>("erased", "barred", "time");
const permission = fc.constantFrom("restricted", "unrestricted");
const confinement = fc.constantFrom("enforced", "unavailable");
export const grants: fc.Arbitrary<readonly Category[]> = fc.uniqueArray(fc.constantFrom(...CATEGORIES));
const note: fc.Arbitrary<Note> = fc.oneof(
  fc.constantFrom("upgraded", "downgraded", "continue", "discarded", "turnLimit", "timeLimit"),
  fc.record({ kind: fc.constant("mode"), mode: text, message }),
  fc.record({ kind: fc.constant("edited"), message }),
);
const notes = fc.array(note, { maxLength: 3 });
const choice = fc.constantFrom(...ANSWERS);
const asks: Kinds<QuestionSpec> = {
  upgrade: fc.record(
    {
      kind: fc.constant("upgrade"),
      from: fc.record({ how: fc.constantFrom("request", "command"), by: person }),
    },
    { requiredKeys: ["kind"] },
  ),
  danger: fc.record({ kind: fc.constant("danger"), categories: grants, shown: message, fingerprint: text }),
  mode: fc.record({ kind: fc.constant("mode"), mode: text, branch: fc.boolean() }),
  write: fc.record(
    {
      kind: fc.constant("write"),
      write: fc.constantFrom(...WRITES),
      scope: text,
      shown: message,
      fingerprint: text,
      review: fc.record({ comments: n, leftOut: fc.array(n, { maxLength: 2 }), mayRequest: fc.boolean() }),
    },
    { requiredKeys: ["kind", "write", "shown", "fingerprint"] },
  ),
  result: fc.record(
    { kind: fc.constant("result"), shown: message, fingerprint: text, pull: fc.boolean(), commits: n },
    { requiredKeys: ["kind", "shown", "fingerprint", "pull"] },
  ),
  answer: fc.record({ kind: fc.constant("answer"), place: text }),
  person: fc.record(
    { kind: fc.constant("person"), choices: n, plan: fc.constant(true) },
    { requiredKeys: ["kind", "choices"] },
  ),
};
const earlier: fc.Arbitrary<readonly EarlierAnswer[]> = fc.array(
  fc.record({ conversation: conversationId, at: n, link: text }),
  { maxLength: 3 },
);
const approved: fc.Arbitrary<WriteApproval> = fc.record(
  {
    write: fc.constantFrom(...WRITES),
    by: fc.record({ id: person, name: text }, { requiredKeys: ["id"] }),
    at: n,
    fingerprint: text,
    commits: n,
    review: fc.record({ leftOut: fc.array(n, { maxLength: 2 }), requestsChanges: fc.boolean() }),
  },
  { requiredKeys: ["write", "by", "at", "fingerprint"] },
);
const wrotes: Kinds<WriteOutcome> = {
  done: fc.record({ kind: fc.constant("done"), name: text, url: text }, { requiredKeys: ["kind", "name"] }),
  void: fc.record({ kind: fc.constant("void"), why: text }),
  failed: fc.record({ kind: fc.constant("failed"), why: text }),
  unknown: fc.record({ kind: fc.constant("unknown"), why: text }, { requiredKeys: ["kind"] }),
};
const wrote: fc.Arbitrary<WriteOutcome> = fc.oneof(...Object.values(wrotes));
const ask: fc.Arbitrary<QuestionSpec> = fc.oneof(...Object.values(asks));

const decision: fc.Arbitrary<Decision> = fc.record(
  { choice, by: person, at: n, comment: fc.option(message), commits: n, option: n },
  { requiredKeys: ["choice", "by", "at", "comment"] },
);

const outcomes: Kinds<Outcome> = {
  ran: fc.record(
    {
      kind: fc.constant("ran"),
      message,
      isError: fc.boolean(),
      files: fc.nat(),
      changed: fc.constant(true),
      agents,
    },
    { requiredKeys: ["kind", "message", "isError"] },
  ),
  host: fc.record(
    { kind: fc.constant("host"), text, isError: fc.boolean(), decision: fc.option(decision), agents },
    { requiredKeys: ["kind", "text", "isError", "decision"] },
  ),
  mode: fc.record({
    kind: fc.constant("mode"),
    success: fc.boolean(),
    mode: text,
    branch: fc.boolean(),
    decision: fc.option(decision),
    ask,
  }),
};
const outcome: fc.Arbitrary<Outcome> = fc.oneof(...Object.values(outcomes));

const setUp: fc.Arbitrary<Setup> = fc.oneof(
  fc.constant<Setup>({ kind: "began" }),
  fc.record({ kind: fc.constant("ready" as const), seconds: n, late: fc.boolean() }),
  fc.record(
    { kind: fc.constant("failed" as const), why: text, output: fc.array(text, { maxLength: 3 }), log: text },
    { requiredKeys: ["kind", "why"] },
  ),
);

const putBack: fc.Arbitrary<CheckoutRestored> = fc.oneof(
  fc.record({ kind: fc.constant("whole" as const), days: n }),
  fc.record({ kind: fc.constant("fresh" as const), days: n, kept: text }),
);

const notices: Kinds<Notice> = {
  stopped: fc.record(
    { kind: fc.constant("stopped"), by: person, skipped: fc.nat(), why: cause },
    { requiredKeys: ["kind", "by", "skipped"] },
  ),
  interrupted: fc.record({ kind: fc.constant("interrupted") }),
  unread: fc.record({ kind: fc.constant("unread"), by: fc.array(person, { minLength: 1, maxLength: 2 }) }),
  failed: fc.record(
    { kind: fc.constant("failed"), failure, attempts: fc.nat(), other: text },
    { requiredKeys: ["kind", "failure", "attempts"] },
  ),
  fellBack: fc.record({ kind: fc.constant("fellBack"), from: text, to: text, failure }),
  permission: fc.record({ kind: fc.constant("permission"), to: permission, by: person }),
  mode: fc.record({ kind: fc.constant("mode"), from: text, to: text, by: person }),
  model: fc.record({ kind: fc.constant("model"), from: fc.string(), to: fc.string(), by: person }),
  safeMode: fc.record({ kind: fc.constant("safeMode"), on: fc.boolean(), by: person }),
  setUp: fc.record({ kind: fc.constant("setUp"), setUp }),
  putBack: fc.record({ kind: fc.constant("putBack"), putBack }),
  grants: fc.record({ kind: fc.constant("grants"), categories: grants, by: person }),
  notAsked: fc.record({
    kind: fc.constant("notAsked"),
    why: fc.oneof(
      fc.record({ host: text }),
      fc.record({ request: fc.constantFrom("open" as const, "often" as const, "off" as const), by: person }),
    ),
  }),
  paused: fc.record(
    { kind: fc.constant("paused"), until: n, over: fc.constant(true) },
    { requiredKeys: ["kind", "until"] },
  ),
  branched: fc.record(
    { kind: fc.constant("branched"), to: fc.option(conversationId), mode: text, link: text, why: text },
    { requiredKeys: ["kind", "to", "mode"] },
  ),
  notContinued: fc.record({ kind: fc.constant("notContinued"), why: text }, { requiredKeys: ["kind"] }),
  wrote: fc.record({ kind: fc.constant("wrote"), write: fc.constantFrom(...WRITES), by: person, wrote }),
  context: fc.record({ kind: fc.constant("context"), used: n, window: n }),
  reused: fc.record(
    { kind: fc.constant("reused"), from: conversationId, age: n, link: text },
    { requiredKeys: ["kind", "from", "age"] },
  ),
  unseen: fc.record({ kind: fc.constant("unseen"), why: unseen, days: n }),
  empty: fc.record({ kind: fc.constant("empty") }),
  refused: fc.record({ kind: fc.constant("refused") }),
  noCall: fc.record({ kind: fc.constant("noCall") }),
  cut: fc.record({ kind: fc.constant("cut") }),
};
const notice: fc.Arbitrary<Notice> = fc.oneof(...Object.values(notices));

const summary = {
  kind: fc.constant("summary"),
  message: fc.option(message),
  ended: fc.constantFrom("summarized", "failed", "cancelled"),
  percent: n,
  by: fc.option(person),
  rejected: fc.array(text, { maxLength: 2 }),
} as const;

const origin = fc.constantFrom<ResultOrigin>("checkout", "forge", "server", "web", "model", "host");

const entries: Kinds<EntryKind> = {
  said: fc.oneof(
    utterance.map((said) => ({ kind: "said", ...said }) as const),
    addition.map((said) => ({ kind: "said", added: true, ...said }) as const),
  ),
  answer: fc.record(
    { kind: fc.constant("answer"), message, text: fc.nat(), calls, stop, model: text, earlier },
    { requiredKeys: ["kind", "message", "text", "calls", "stop"] },
  ),
  result: fc.record({
    kind: fc.constant("result"),
    call,
    outcome,
    origin: fc.oneof(origin, fc.constantFrom<SpeakerOrigin>("approver", "member", "stranger", "event")),
  }),
  asked: fc.record({ kind: fc.constant("asked"), call, message, ask }),
  granted: fc.record({ kind: fc.constant("granted"), call, ask, decision }),
  note: fc.record({ kind: fc.constant("note"), note }),
  notice: fc.record({ kind: fc.constant("notice"), notice }),
  summary: fc.record(summary),
};
export const entry: fc.Arbitrary<Entry> = fc
  .tuple(fc.record({ turn: fc.nat(), seq: fc.nat(), at: n }), fc.oneof(...Object.values(entries)))
  .map(([base, kind]) => ({ ...base, ...kind }));

const modelChoice = fc.record({ name: text, window: fc.nat() });

const phases: Kinds<Phase> = {
  idle: fc.record({ kind: fc.constant("idle") }),
  thinking: fc.record({
    kind: fc.constant("thinking"),
    request: effectId,
    attempt: fc.nat(),
    wait: fc.option(fc.record({ for: effectId, delay: n, failure })),
    parts: fc.nat(),
  }),
  running: fc.record(
    { kind: fc.constant("running"), effect: effectId, message, call, rest: calls, notes, approved },
    { requiredKeys: ["kind", "effect", "message", "call", "rest", "notes"] },
  ),
  awaitingApproval: fc.record({
    kind: fc.constant("awaitingApproval"),
    question: fc
      .tuple(fc.record({ id: questionId, askedAt: n, message }), ask)
      .map(([asked, what]) => ({ ...asked, ...what })),
    call,
    rest: calls,
    notes,
  }),
  awaitingAgents: fc.record({
    kind: fc.constant("awaitingAgents"),
    effect: effectId,
    message,
    call,
    agents,
    rest: calls,
    notes,
    wait: fc.option(fc.record({ for: effectId, delay: n })),
    hurried: fc.boolean(),
  }),
  ended: fc.record(
    {
      kind: fc.constant("ended"),
      how: agentHow,
      why: text,
      result: fc.option(fc.record({ message, call: fc.option(text) })),
    },
    { requiredKeys: ["kind", "how", "result"] },
  ),
  stopping: fc.record(
    {
      kind: fc.constant("stopping"),
      effect: effectId,
      message,
      wait: fc.record({ for: effectId, delay: n }),
      call,
      agents,
      rest: calls,
      notes,
      by: person,
      why: cause,
      approved,
      then: fc.option(utterance),
    },
    { requiredKeys: ["kind", "effect", "message", "wait", "call", "rest", "notes", "by", "then"] },
  ),
  summarizing: fc.record({
    kind: fc.constant("summarizing"),
    request: effectId,
    attempt: fc.nat(),
    wait: fc.option(fc.record({ for: effectId, delay: n, failure })),
    rejected: calls,
    by: fc.option(person),
  }),
  exhausted: fc.record(
    {
      kind: fc.constant("exhausted"),
      summary: fc.option(message),
      next: fc.option(conversationId),
      link: text,
      carried: fc.constantFrom("same", "copied", "left"),
    },
    { requiredKeys: ["kind", "summary", "next"] },
  ),
  failed: fc.record(
    { kind: fc.constant("failed"), failure, other: modelChoice },
    { requiredKeys: ["kind", "failure"] },
  ),
};

const seed = fc.record({ summary: fc.option(message), speaker });

const stateWithoutWaiting: fc.Arbitrary<State> = fc.record({
  id: id.map((name) => `c-${name}` as const),
  kind: fc.constantFrom("thread", "subagent"),
  parent: fc.option(id.map((name) => `c-${name}` as const)),
  permission,
  confinement,
  mode: text,
  safeMode: fc.boolean(),
  grants,
  model: text,
  context: fc.record(
    {
      used: n,
      window: n,
      warned: fc.boolean(),
      warning: fc.record({ seq: fc.nat(), at: n, used: n }),
    },
    { requiredKeys: ["used", "window", "warned"] },
  ),
  usage,
  background: fc.boolean(),
  denials: fc.array(n, { maxLength: 3 }),
  branches: fc.array(
    fc.record({ effect: effectId, mode: text, by: person, seed }, { requiredKeys: ["effect", "mode", "by"] }),
    { maxLength: 2 },
  ),
  seq: fc.nat(),
  turn: fc.record(
    {
      no: fc.nat(),
      speaker: fc.option(speaker),
      begun: n,
      rounds: fc.nat(),
      denied: fc.uniqueArray(fc.constantFrom("upgrade", "mode", "SUDO", "NETWORK_RISK", "file_issue")),
      usage,
      end: fc.option(
        fc.record({
          at: n,
          why: fc.constantFrom("answered", "stopped", "interrupted", "failed", "discarded"),
        }),
      ),
      own: modelChoice,
      reused: fc.constant(true),
      reviewed: text,
      added: fc.array(laterMessage, { minLength: 1, maxLength: 2 }),
      authors: fc.array(person, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ["no", "speaker", "begun", "rounds", "denied", "usage", "end"] },
  ),
  phase: fc.oneof(...Object.values(phases)),
});

export const state: fc.Arbitrary<State> = fc
  .tuple(stateWithoutWaiting, fc.option(fc.array(laterMessage, { minLength: 1, maxLength: 2 })))
  .map(([made, waiting]) => (waiting === null ? made : { ...made, waiting }));

const reached = fc.array(fc.record({ host: text, port: n, allowed: fc.boolean() }), { maxLength: 2 });
const events: Kinds<EventKind> = {
  woken: fc.record(
    {
      kind: fc.constant("woken"),
      boot: text,
      confinement,
      window: n,
      guarded: fc.constant(true),
      agents: gathered,
    },
    { requiredKeys: ["kind", "boot", "confinement", "window", "guarded"] },
  ),
  drained: fc.record({ kind: fc.constant("drained"), agents: gathered }, { requiredKeys: ["kind"] }),
  agentReported: fc.record({
    kind: fc.constant("agentReported"),
    by: effectId,
    agent: fc.nat(),
    end: agentEnd,
  }),
  hurried: fc.constant({ kind: "hurried" }),
  said: utterance.map((said) => ({ kind: "said", ...said })),
  added: addition.map((said) => ({ kind: "added", ...said })),
  renewed: fc.record({ kind: fc.constant("renewed"), by: effectId }),
  queued: utterance.map((said) => ({ kind: "queued", ...said })),
  unqueued: fc.record({ kind: fc.constant("unqueued"), message, by: speaker }),
  waitingStarted: fc.record(
    { kind: fc.constant("waitingStarted"), message, speaker, reviewed: text },
    { requiredKeys: ["kind", "message", "speaker"] },
  ),
  waitingRefused: fc.record({
    kind: fc.constant("waitingRefused"),
    message,
    why: fc.constantFrom("archived", "left", "context_exhausted"),
  }),
  retried: fc.record(
    { kind: fc.constant("retried"), speaker, other: fc.constant(true) },
    { requiredKeys: ["kind", "speaker"] },
  ),
  answered: fc.record(
    {
      kind: fc.constant("answered"),
      by: effectId,
      message,
      text: fc.nat(),
      calls,
      stop,
      usage,
      model: text,
      reused: fc.record(
        { conversation: conversationId, message, at: n, link: text },
        { requiredKeys: ["conversation", "message", "at"] },
      ),
      earlier,
    },
    { requiredKeys: ["kind", "by", "message", "text", "calls", "stop", "usage"] },
  ),
  modelFailed: fc.record(
    {
      kind: fc.constant("modelFailed"),
      by: effectId,
      failure,
      model: text,
      other: modelChoice,
      fallback: fc.constant(true),
    },
    { requiredKeys: ["kind", "by", "failure"] },
  ),
  ran: fc.record(
    {
      kind: fc.constant("ran"),
      by: effectId,
      message,
      origin,
      isError: fc.boolean(),
      background: fc.boolean(),
      reached,
      files: fc.nat(),
      wrote,
    },
    { requiredKeys: ["kind", "by", "message", "origin", "isError", "background", "reached"] },
  ),
  decided: fc.record(
    {
      kind: fc.constant("decided"),
      question: questionId,
      choice,
      by: speaker,
      comment: fc.option(message),
      commits: n,
      option: n,
    },
    { requiredKeys: ["kind", "question", "choice", "by", "comment"] },
  ),
  blocked: fc.record({
    kind: fc.constant("blocked"),
    by: effectId,
    categories: grants,
    shown: message,
    fingerprint: text,
  }),
  proposed: fc.record(
    {
      kind: fc.constant("proposed"),
      by: effectId,
      write: fc.constantFrom(...WRITES),
      scope: text,
      shown: message,
      fingerprint: text,
      pull: fc.constant(true),
      review: fc.record({ comments: n, mayRequest: fc.boolean() }),
      voided: text,
    },
    { requiredKeys: ["kind", "by", "write", "shown", "fingerprint"] },
  ),
  reached: fc.record({ kind: fc.constant("reached"), reached }),
  setUp: fc.record({ kind: fc.constant("setUp"), setUp }),
  putBack: fc.record({ kind: fc.constant("putBack"), putBack }),
  unseen: fc.record({ kind: fc.constant("unseen"), question: questionId, why: unseen, days: n }),
  modeSet: fc.record(
    {
      kind: fc.constant("modeSet"),
      mode: text,
      by: person,
      organisation: text,
      prompt: message,
      model: modelChoice,
    },
    { requiredKeys: ["kind", "mode", "by", "organisation", "prompt"] },
  ),
  askedAgain: fc.record({ kind: fc.constant("askedAgain"), by: speaker }),
  upgradeAsked: fc.record({ kind: fc.constant("upgradeAsked"), by: speaker, message }),
  modelSet: fc.record({ kind: fc.constant("modelSet"), model: fc.string(), window: fc.nat(), by: speaker }),
  safeModeSet: fc.record({ kind: fc.constant("safeModeSet"), on: fc.boolean(), by: speaker }),
  granted: fc.record({ kind: fc.constant("granted"), categories: grants, by: speaker }),
  continued: fc.record({ kind: fc.constant("continued"), by: speaker }),
  summarized: fc.record({
    kind: fc.constant("summarized"),
    by: effectId,
    message,
    text: fc.nat(),
    usage,
    model: text,
  }),
  moved: fc.record({
    kind: fc.constant("moved"),
    seed: fc.constantFrom("summary", "empty"),
    by: speaker,
  }),
  branched: fc.record({
    kind: fc.constant("branched"),
    by: effectId,
    conversation: fc.option(conversationId),
  }),
  stopped: fc.record(
    { kind: fc.constant("stopped"), by: person, then: fc.option(utterance), why: cause },
    { requiredKeys: ["kind", "by", "then"] },
  ),
  erased: fc.record({ kind: fc.constant("erased"), by: person, messages: fc.array(message) }),
  restricted: fc.record({ kind: fc.constant("restricted"), by: person }),
  due: fc.record({ kind: fc.constant("due"), for: effectId }),
};
export const event: fc.Arbitrary<Event> = fc
  .tuple(n, fc.oneof(...Object.values(events)))
  .map(([at, kind]) => ({ at, ...kind }));

const effects: Kinds<Effect> = {
  think: fc.record({ kind: fc.constant("think"), id: effectId, attempt: fc.nat() }),
  abortThinking: fc.record({ kind: fc.constant("abortThinking"), target: effectId }),
  run: fc.record(
    { kind: fc.constant("run"), id: effectId, call, permission, grants, approved, again: fc.constant(true) },
    { requiredKeys: ["kind", "id", "call", "permission", "grants"] },
  ),
  spawn: fc.record({
    kind: fc.constant("spawn"),
    id: effectId,
    call,
    agents: fc.array(fc.record({ id: conversationId, model: text }), { maxLength: 3 }),
  }),
  hurryAgents: fc.record({ kind: fc.constant("hurryAgents"), target: effectId }),
  endAgents: fc.record({ kind: fc.constant("endAgents"), target: effectId }),
  summarize: fc.record({ kind: fc.constant("summarize"), id: effectId, rejected: calls }),
  branch: fc.record(
    { kind: fc.constant("branch"), id: effectId, mode: text, by: person, seed },
    { requiredKeys: ["kind", "id", "mode", "by"] },
  ),
  kill: fc.record({ kind: fc.constant("kill"), target: effectId }),
  startWaiting: fc.record({ kind: fc.constant("startWaiting"), message }),
  killBackground: fc.record({ kind: fc.constant("killBackground") }),
};
export const effect: fc.Arbitrary<Effect> = fc.oneof(...Object.values(effects));

const image: fc.Arbitrary<ImageRef> = fc.record({
  hash: text,
  mediaType: fc.constantFrom("image/jpeg", "image/png", "image/gif", "image/webp"),
});
const images = fc.array(image, { maxLength: 3 });
const blocks: Kinds<AnswerBlock> = {
  text: fc.record({ kind: fc.constant("text"), text }),
  toolUse: fc.record({ kind: fc.constant("toolUse"), id: text, name: text, input: fc.jsonValue() }),
  opaque: fc.record({ kind: fc.constant("opaque"), raw: fc.jsonValue() }),
};
const file: fc.Arbitrary<FileRef> = fc.record({
  hash: wellFormed,
  name: text,
  title: fc.option(text),
  mediaType: text,
  size: n,
});

const draft: fc.Arbitrary<DraftReference> = fc.record(
  {
    tree: text,
    base: text,
    added: n,
    removed: n,
    diff: text,
    isDiffCut: fc.boolean(),
    delicate: fc.array(fc.record({ why: fc.constantFrom(...DELICATE), path: text }), { maxLength: 2 }),
    test: fc.option(
      fc.record(
        { command: text, status: fc.option(n), ended: text, tail: text, seconds: n },
        { requiredKeys: ["command", "status", "tail", "seconds"] },
      ),
    ),
    commits: fc.array(
      fc.record(
        { title: text, tree: text, files: n, added: n, removed: n },
        { requiredKeys: ["title", "tree"] },
      ),
      { maxLength: 2 },
    ),
    moved: fc.record({ ref: text, count: n, titles: fc.array(text, { maxLength: 2 }), merges: fc.boolean() }),
  },
  { requiredKeys: ["tree", "base", "added", "removed", "diff", "isDiffCut", "delicate", "test", "commits"] },
);
const wordsKinds: Kinds<StoredContent> = {
  said: fc.record({ kind: fc.constant("said"), text, images }),
  answer: fc.record({
    kind: fc.constant("answer"),
    blocks: fc.array(fc.oneof(...Object.values(blocks)), { maxLength: 4 }),
  }),
  result: fc.record(
    {
      kind: fc.constant("result"),
      text,
      images,
      diff: fc.option(text),
      files: fc.array(file, { maxLength: 2 }),
    },
    { requiredKeys: ["kind", "text", "images", "diff"] },
  ),
  comment: fc.record({ kind: fc.constant("comment"), text }),
  meta: fc.record({ kind: fc.constant("meta"), text }),
  dangers: fc.record({
    kind: fc.constant("dangers"),
    dangers: fc.array(
      fc.record({
        category: fc.constantFrom("SUDO", "GIT_PUBLISH"),
        what: text,
        why: text,
        risk: text,
        changes: fc.array(text, { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  }),
  proposal: fc.record({
    kind: fc.constant("proposal"),
    proposal: fc.record(
      {
        project: text,
        facts: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 }),
        files: fc.array(
          fc.record(
            {
              path: text,
              change: fc.constantFrom("added", "changed", "deleted", "mode", "link", "binary"),
              added: fc.option(n),
              removed: fc.option(n),
            },
            { requiredKeys: ["path", "added", "removed"] },
          ),
          { maxLength: 2 },
        ),
        unlisted: n,
        texts: fc.array(fc.record({ name: text, text }), { maxLength: 2 }),
        draft,
        owners: fc.record({
          file: fc.option(text),
          sets: fc.array(fc.record({ owners: fc.array(text, { maxLength: 2 }), path: text, files: n }), {
            maxLength: 2,
          }),
          unknown: fc.array(text, { maxLength: 2 }),
        }),
        review: fc.record({
          comments: fc.array(
            fc.record({
              path: text,
              first: n,
              last: n,
              side: fc.constantFrom("new", "old"),
              code: text,
              text,
            }),
            { maxLength: 2 },
          ),
          mayRequest: fc.boolean(),
        }),
      },
      { requiredKeys: ["project", "facts", "files", "unlisted", "texts"] },
    ),
  }),
  gone: fc.record({ kind: fc.constant("gone") }),
};
export const words: fc.Arbitrary<StoredContent> = fc.oneof(...Object.values(wordsKinds));

const turnStep = fc.record({ message, call, outcome, took: n });

const bodies: Kinds<PostBody> = {
  opening: fc.record({ kind: fc.constant("opening"), mode: text, permission, confinement }),
  user: fc.record({ kind: fc.constant("user"), message, speaker, images: fc.nat() }),
  answer: fc.record({ kind: fc.constant("answer"), message }),
  activity: fc.record({
    kind: fc.constant("activity"),
    message,
    call,
    status: fc.constantFrom("waiting", "running", "done", "error"),
    outcome: fc.option(outcome),
  }),
  question: fc.record(
    {
      kind: fc.constant("question"),
      question: fc.option(questionId),
      asker: person,
      turn: fc.nat(),
      message,
      call,
      decision: fc.option(decision),
      plan: fc.constant(true),
      stopped: fc.oneof(fc.constant(true as const), cause),
      wrote,
      branched: fc.record({ link: text, to: fc.option(conversationId), why: text }, { requiredKeys: ["to"] }),
    },
    { requiredKeys: ["kind", "question", "turn", "message", "call", "decision"] },
  ),
  file: fc.record({ kind: fc.constant("file"), message, index: fc.nat() }),
  notice: fc.record(
    { kind: fc.constant("notice"), notice, folded: fc.constant(true) },
    { requiredKeys: ["kind", "notice"] },
  ),
  turn: fc.record(
    {
      kind: fc.constant("turn"),
      end: fc.constantFrom("answered", "stopped", "interrupted", "failed"),
      said: fc.array(message, { maxLength: 3 }),
      changes: fc.array(turnStep, { maxLength: 2 }),
      files: fc.array(fc.record({ message, index: fc.nat() }), { maxLength: 2 }),
      steps: fc.record({ count: fc.nat(), rows: fc.array(turnStep, { maxLength: 2 }) }),
      notices: fc.array(notice, { maxLength: 2 }),
      permission,
      held: person,
      unconfined: fc.constant(true),
      readOnly: fc.constant(true),
      uncommitted: fc.constant(true),
      pictures: fc.nat(),
      duration: n,
      model: text,
      context: fc.nat({ max: 100 }),
      earlier,
    },
    {
      requiredKeys: ["kind", "end", "said", "changes", "files", "steps", "notices", "permission", "duration"],
    },
  ),
  summary: fc.record(
    { ...summary, next: fc.option(conversationId), link: text, carried: fc.constantFrom("same", "left") },
    { requiredKeys: ["kind", "message", "ended", "percent", "by", "rejected", "next"] },
  ),
  footer: fc.record(
    { kind: fc.constant("footer"), usage, model: text, mode: text, permission, duration: n, earlier },
    { requiredKeys: ["kind", "usage", "model", "mode", "permission", "duration"] },
  ),
};
export const post: fc.Arbitrary<Post> = fc.record({
  key: wellFormed,
  at: n,
  final: fc.boolean(),
  actions: fc.array(fc.constantFrom("approve", "deny", "session", "branch", "retry"), { maxLength: 2 }),
  body: fc.oneof(...Object.values(bodies)),
});

export const claim: fc.Arbitrary<Omit<Claim, "conversation">> = fc.record({
  surface: wellFormed,
  id: wellFormed,
  at: n,
  speaker,
  text,
  images,
});
