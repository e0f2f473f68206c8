/**
 * Random walks through the machine: generated moves become events that name what the state really awaits, or
 * something stale, so that both honest and hostile orders are reached.
 */

import fc from "fast-check";
import { type AgentHow, AGENT_ENDS } from "../../src/machine/agent.ts";
import { deadline } from "../../src/machine/deadline.ts";
import type { Event } from "../../src/machine/event.ts";
import type { EffectId } from "../../src/machine/id.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import type { State } from "../../src/machine/state.ts";
import type { Transition } from "../../src/machine/step.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { laterMessages } from "../../src/machine/transition/later-messages.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { ANSWERS } from "../../src/machine/vocabulary.ts";
import type {
  Call,
  Category,
  Choice,
  Confinement,
  FailureKind,
  Intent,
  ModelChoice,
  SeedChoice,
  Speaker,
  StopReason,
  StopCause,
  ReviewDelay,
  Write,
  CheckoutRestored,
  Setup,
} from "../../src/machine/vocabulary.ts";
import { fresh, freshAgent, maintainer, stranger, usage } from "./samples.ts";
import { originOf } from "../looks.ts";

export interface Walked {
  readonly before: State;
  readonly event: Event;
  readonly result: Transition;
}

export interface Walk {
  readonly start: State;
  readonly steps: readonly Walked[];
  readonly end: State;
  readonly transcript: readonly Entry[];
  readonly words: ReadonlyMap<string, StoredContent>;
}

type Move =
  | {
      readonly kind: "woken";
      readonly confinement: Confinement;
      readonly refused: string | null;
      readonly window: number;
    }
  | { readonly kind: "drained" }
  | { readonly kind: "agentReported"; readonly stale: boolean; readonly how: AgentHow }
  | { readonly kind: "hurried" }
  | {
      readonly kind: "said";
      readonly speaker: Speaker;
      readonly quoted: number;
      /** Files of the speaker. */
      readonly own?: number;
      readonly reviewed: boolean;
    }
  | { readonly kind: "added" | "queued"; readonly speaker: Speaker; readonly quoted: number }
  | { readonly kind: "renewed"; readonly stale: boolean }
  /** `at`: place among the messages that wait or were added. */
  | { readonly kind: "unqueued"; readonly at: number; readonly by: Speaker }
  | { readonly kind: "waitingStarted"; readonly stale: boolean; readonly mayDrive: boolean }
  | { readonly kind: "waitingRefused"; readonly stale: boolean }
  | { readonly kind: "retried"; readonly speaker: Speaker; readonly other: boolean }
  | {
      readonly kind: "answered";
      readonly stale: boolean;
      readonly text: number;
      readonly calls: readonly string[];
      readonly stop: StopReason;
      readonly used: number;
      readonly reused: boolean;
    }
  | {
      readonly kind: "modelFailed";
      readonly stale: boolean;
      readonly why: FailureKind;
      readonly other: ModelChoice | null;
      readonly fallback: boolean;
      readonly retryAfter: number | null;
    }
  | {
      readonly kind: "ran";
      readonly stale: boolean;
      readonly isError: boolean;
      readonly background: boolean;
      readonly files: number;
      readonly url: string | null;
      readonly host: string | null;
    }
  | {
      readonly kind: "decided";
      readonly stale: boolean;
      readonly choice: Choice;
      readonly option: number;
      readonly by: Speaker;
    }
  | { readonly kind: "reached"; readonly host: string; readonly allowed: boolean }
  | { readonly kind: "setUp"; readonly setUp: Setup }
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  | { readonly kind: "blocked"; readonly stale: boolean; readonly categories: readonly Category[] }
  | {
      readonly kind: "proposed";
      readonly stale: boolean;
      readonly write: Write;
      readonly scope: string | null;
    }
  | { readonly kind: "unseen"; readonly why: ReviewDelay }
  | { readonly kind: "modeSet"; readonly mode: string }
  | { readonly kind: "modelSet"; readonly model: string; readonly window: number; readonly by: Speaker }
  | { readonly kind: "safeModeSet"; readonly on: boolean; readonly by: Speaker }
  | { readonly kind: "askedAgain"; readonly by: Speaker }
  | { readonly kind: "upgradeAsked"; readonly by: Speaker }
  | { readonly kind: "granted"; readonly categories: readonly Category[]; readonly by: Speaker }
  | { readonly kind: "continued"; readonly by: Speaker }
  | { readonly kind: "summarized"; readonly stale: boolean; readonly text: number }
  | { readonly kind: "moved"; readonly seed: SeedChoice; readonly by: Speaker }
  | { readonly kind: "branched"; readonly stale: boolean; readonly made: boolean }
  | { readonly kind: "stopped"; readonly send: Speaker | null; readonly why: StopCause | undefined }
  /** `later`: what waits or was added; else the first message. */
  | { readonly kind: "erased"; readonly later: boolean }
  | { readonly kind: "restricted" }
  | { readonly kind: "due"; readonly stale: boolean };

const speaker = fc.constantFrom(maintainer, stranger, {
  ...stranger,
  id: "slack:U1",
  mayDrive: true,
} as const);
const stale = fc.oneof(
  { weight: 6, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

const categories = fc.uniqueArray(fc.constantFrom<Category>("SUDO", "NETWORK_RISK", "GIT_PUBLISH"));

/** All moves before people could send messages during a turn. Committed seeds of the lives of threads name these. */
const earlier: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("woken"),
      confinement: fc.constantFrom("enforced", "enforced", "unavailable"),
      refused: fc.constantFrom(null, null, null, "This host refuses it."),
      window: fc.constantFrom(200_000, 200_000, 200_000, 180_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("said"),
      speaker,
      quoted: fc.constantFrom(0, 0, 0, 2),
      own: fc.constantFrom(0, 0, 1),
      reviewed: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retried"), speaker, other: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("answered"),
      stale,
      text: fc.constantFrom(0, 12),
      calls: fc.array(
        fc.constantFrom(
          "bash",
          "patch",
          "read_issue",
          "request_mode_upgrade",
          "agent_change_mode",
          "unknown_tool",
          "spawn_agents",
          "submit_result",
          "ask_person",
        ),
        {
          maxLength: 4,
        },
      ),
      stop: fc.constantFrom("tools", "tools", "tools", "end", "max_tokens", "pause", "refusal"),
      used: fc.constantFrom(20, 20, 20, 20, 20, 20, 20, 20, 165_000, 165_000, 180_000, 250_000),
      reused: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("modelFailed"),
      stale,
      why: fc.constantFrom(
        "overloaded",
        "network",
        "overloaded",
        "network",
        "auth",
        "workspace",
        "context",
        "costly",
      ),
      retryAfter: fc.constantFrom(null, 5_000, 90_000),
      other: fc.constantFrom(
        null,
        { name: "other", window: 200_000 },
        { name: "other", window: 50_000 },
        { name: "test", window: 200_000 },
      ),
      fallback: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("ran"),
      stale,
      isError: fc.boolean(),
      background: fc.boolean(),
      files: fc.constantFrom(0, 0, 1, 2),
      url: fc.constantFrom(null, "https://forge.invalid/acme/shop/issues/1"),
      host: fc.constantFrom(null, null, null, "example.com", "example.net"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("decided"),
      stale,
      choice: fc.constantFrom("approve", ...ANSWERS),
      option: fc.constantFrom(1, 1, 2, 3),
      by: speaker,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("blocked"), stale, categories }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("proposed"),
      stale,
      write: fc.constantFrom<Write>(
        "file_issue",
        "post_review",
        "open_pull_request",
        "apply_draft",
        "mcp_call",
      ),
      scope: fc.constantFrom(null, "linear/create", "linear/delete"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("unseen"), why: fc.constantFrom("late", "unreachable") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("reached"),
      host: fc.constantFrom("example.com", "example.org"),
      allowed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("setUp"),
      setUp: fc.constantFrom<Setup>({ kind: "began" }, { kind: "failed", why: "it ended with status 1." }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("putBack"),
      putBack: fc.constantFrom<CheckoutRestored>(
        { kind: "whole", days: 1 },
        { kind: "fresh", days: 15, kept: "threads/c-1/kept-1" },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("modeSet"), mode: fc.constantFrom("general", "triage") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("modelSet"),
      model: fc.constantFrom("demo", "other"),
      window: fc.constantFrom(50_000, 200_000, 1_000_000),
      by: speaker,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("safeModeSet"), on: fc.boolean(), by: speaker }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("granted"), categories, by: speaker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("askedAgain"), by: speaker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("upgradeAsked"), by: speaker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("continued"), by: speaker }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("summarized"), stale, text: fc.constantFrom(0, 9, 9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("moved"),
      seed: fc.constantFrom("summary", "empty"),
      by: speaker,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("branched"), stale, made: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("stopped"),
      send: fc.option(speaker),
      why: fc.constantFrom(undefined, undefined, "erased", "barred", "time"),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "erased", later: false }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "restricted" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "drained" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("agentReported"),
      stale,
      how: fc.constantFrom(...AGENT_ENDS),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "hurried" }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("due"), stale }) },
);

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 70, arbitrary: earlier },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("added", "queued"),
      speaker,
      quoted: fc.constantFrom(0, 0, 0, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("renewed"), stale }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unqueued"), at: fc.nat(2), by: speaker }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("waitingStarted"), stale, mayDrive: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("waitingRefused"), stale }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "erased", later: true }) },
);

/** Walks of up to 60 events from a fresh or an upgraded conversation, on kernels that hold Restricted and that do not. */
const walksOf = (moves: fc.Arbitrary<Move>): fc.Arbitrary<Walk> =>
  fc
    .record({
      confinement: fc.constantFrom("enforced", "enforced", "enforced", "unavailable"),
      upgraded: fc.boolean(),
      safeMode: fc.constantFrom(true, true, false),
      denials: fc.constantFrom([], [], [1, 2]),
      chosen: fc.array(moves, { maxLength: 60, size: "max" }),
    })
    .map(({ confinement, upgraded, safeMode, denials, chosen }) => {
      const start: State = { ...fresh(confinement), safeMode, denials, guarded: true };
      return walk(upgraded ? { ...start, permission: "unrestricted" } : start, chosen);
    });

export const walks = walksOf(move);
export const earlierWalks = walksOf(earlier);

const said: Move = { kind: "said", speaker: maintainer, quoted: 0, reviewed: false };
const answered = (calls: readonly string[]): Move => ({
  kind: "answered",
  stale: false,
  text: 12,
  calls,
  stop: calls.length === 0 ? "end" : "tools",
  used: 20,
  reused: false,
});
const proposed = (write: Write, scope: string | null): Move => ({
  kind: "proposed",
  stale: false,
  write,
  scope,
});

/** What puts each kind of question before people. */
const ASKS: readonly (readonly Move[])[] = [
  [said, answered(["request_mode_upgrade", "bash"])],
  [said, answered(["bash", "bash"]), { kind: "blocked", stale: false, categories: ["NETWORK_RISK"] }],
  [said, answered(["bash"]), proposed("file_issue", null)],
  [said, answered(["bash"]), proposed("post_review", null)],
  [said, answered(["bash"]), proposed("mcp_call", "linear/create")],
  [said, answered(["bash"]), proposed("apply_draft", null)],
  [said, answered(["agent_change_mode"])],
  [said, answered(["ask_person", "bash"])],
  [{ ...said, speaker: stranger }, answered(["ask_person", "request_mode_upgrade"])],
  [{ ...said, reviewed: true }, answered([])],
  [{ kind: "upgradeAsked", by: stranger }],
];

/** Walks in which a question is put before people first, and then anything happens. */
export const askedWalks: fc.Arbitrary<Walk> = fc
  .record({
    asks: fc.constantFrom(...ASKS),
    upgraded: fc.boolean(),
    ends: fc.array(
      fc.oneof(
        { weight: 2, arbitrary: fc.constant<Move>({ kind: "restricted" }) },
        {
          weight: 1,
          arbitrary: fc.constant<Move>({
            kind: "woken",
            confinement: "unavailable",
            refused: null,
            window: 200_000,
          }),
        },
        { weight: 6, arbitrary: earlier },
      ),
      { maxLength: 12 },
    ),
  })
  .map(({ asks, upgraded, ends }) =>
    walk({ ...fresh("enforced"), guarded: true, permission: upgraded ? "unrestricted" : "restricted" }, [
      ...asks,
      ...ends,
    ]),
  );

const ended = (stop: StopReason, reused = false, used = 20): Move => ({
  kind: "answered",
  stale: false,
  text: 12,
  calls: [],
  stop,
  used,
  reused,
});
const failed = (why: FailureKind, other: ModelChoice | null): Move => ({
  kind: "modelFailed",
  stale: false,
  why,
  other,
  fallback: false,
  retryAfter: null,
});
const stopped = (send: Speaker | null, why?: StopCause): Move => ({ kind: "stopped", send, why });

/** What ends a turn, in every way that leaves a message. */
const TURN_ENDS: readonly (readonly Move[])[] = [
  [ended("end")],
  [ended("end", true)],
  [ended("max_tokens")],
  [ended("refusal")],
  [answered(["bash"]), { kind: "due", stale: true }, failed("auth", null)],
  [failed("auth", { name: "other", window: 200_000 })],
  [failed("costly", null)],
  [stopped(null)],
  [stopped(null, "erased")],
  [stopped(maintainer), ended("end", true)],
  [answered(["bash"]), stopped(null), { kind: "due", stale: false }],
  [answered(["bash"]), { kind: "drained" }],
  [{ kind: "drained" }],
  [answered(["request_mode_upgrade"]), stopped(null)],
  [ended("end", false, 165_000)],
];

/** Walks of turns, one right after the other. */
export const turnWalks: fc.Arbitrary<Walk> = fc
  .array(fc.constantFrom(...TURN_ENDS), { minLength: 1, maxLength: 6 })
  .map((ends) =>
    walk(
      fresh("enforced"),
      ends.flatMap((moves) => [said, ...moves]),
    ),
  );

/** The same of a sub-agent, which is told its task first. */
export const agentWalks: fc.Arbitrary<Walk> = fc
  .record({
    confinement: fc.constantFrom("enforced", "enforced", "unavailable"),
    speaker,
    moves: fc.array(move, { maxLength: 60, size: "max" }),
  })
  .map(({ confinement, speaker: by, moves }) =>
    walk(freshAgent(confinement), [{ kind: "said", speaker: by, quoted: 0, reviewed: false }, ...moves]),
  );

export const walk = (start: State, moves: readonly Move[]): Walk => {
  const words = new Map<string, StoredContent>();
  const steps: Walked[] = [];
  const transcript: Entry[] = [];
  let state = freeze(start);
  for (const [index, chosen] of moves.entries()) {
    const event = freeze(eventOf(state, chosen, index, words));
    const result = transition(state, event);
    steps.push({ before: state, event, result });
    if (result.kind === "refused") continue;
    state = freeze(result.state);
    transcript.push(...result.append);
  }
  return { start, steps, end: state, transcript, words };
};

const eventOf = (state: State, move: Move, index: number, words: Map<string, StoredContent>): Event => {
  const at = 1_000 + index;
  switch (move.kind) {
    case "woken":
      return {
        kind: "woken",
        at,
        boot: `b${index}`,
        confinement: move.confinement,
        offer: { refused: move.refused, network: true },
        window: move.window,
        guarded: true,
      };
    case "drained":
      return { kind: "drained", at };
    case "agentReported": {
      const { phase } = state;
      const agents = phase.kind === "awaitingAgents" ? phase.agents : [];
      const open = agents.findIndex(({ end }) => end === null);
      const by = awaited(state, move.stale);
      return { kind: "agentReported", at, by, agent: Math.max(0, open), end: { how: move.how, usage } };
    }
    case "hurried":
      return { kind: "hurried", at };
    case "said":
      return {
        kind: "said",
        at,
        message: heard(words, index),
        speaker: move.speaker,
        images: 0,
        ...(move.quoted === 0 && (move.own ?? 0) === 0 ? {} : { quoted: quotes(move.quoted, move.own) }),
        ...(move.reviewed ? { reviewed: "C1" } : {}),
      };
    case "added":
    case "queued":
      return {
        kind: move.kind,
        at,
        message: heard(words, index),
        speaker: move.speaker,
        images: 0,
        ...(move.quoted === 0 ? {} : { quoted: quotes(move.quoted) }),
      };
    case "renewed":
      return { kind: "renewed", at, by: awaited(state, move.stale) };
    case "unqueued":
      return {
        kind: "unqueued",
        at,
        message: laterMessages(state)[move.at]?.message ?? "m-none",
        by: move.by,
      };
    case "waitingStarted": {
      const { message = "m-none", speaker: by = maintainer } = move.stale ? {} : (state.waiting?.[0] ?? {});
      return {
        kind: "waitingStarted",
        at,
        message,
        speaker: { ...by, mayDrive: by.mayDrive && move.mayDrive },
      };
    }
    case "waitingRefused": {
      const { message = "m-none" } = move.stale ? {} : (state.waiting?.[0] ?? {});
      return { kind: "waitingRefused", at, message, why: "archived" };
    }
    case "retried":
      return { kind: "retried", at, speaker: move.speaker, ...(move.other ? { other: true } : {}) };
    case "answered": {
      const calls = move.stop === "tools" ? move.calls.map((name, n) => callOf(name, index, n)) : [];
      const message = `m-answer${index}` as const;
      words.set(message, { kind: "answer", blocks: blocksOf(move.text, calls) });
      return {
        kind: "answered",
        at,
        by: awaited(state, move.stale),
        message,
        text: move.text,
        calls,
        stop: move.stop,
        model: state.model,
        usage: { ...usage, input: move.used - usage.output - usage.cacheRead - usage.cacheWrite },
        ...(move.reused && move.stop === "end"
          ? { reused: { conversation: "c-other", message: "m-other", at } }
          : {}),
        ...(move.reused && move.stop !== "end"
          ? { earlier: [{ conversation: "c-other", at, link: "https://chat.example/other" }] }
          : {}),
      };
    }
    case "modelFailed": {
      const failure = { kind: move.why, message: "It failed.", retryAfter: move.retryAfter };
      return {
        kind: "modelFailed",
        at,
        by: awaited(state, move.stale),
        failure,
        model: state.model,
        ...(move.other === null ? {} : { other: move.other, ...(move.fallback ? { fallback: true } : {}) }),
      };
    }
    case "ran": {
      const message = `m-result${index}` as const;
      words.set(message, { kind: "result", text: "ok", images: [], diff: null });
      const { isError, background } = move;
      const files = move.files === 0 ? {} : { files: move.files };
      const by = awaited(state, move.stale);
      const { phase } = state;
      const origin = "call" in phase ? originOf(phase.call.name) : "host";
      const isWrite = (phase.kind === "running" || phase.kind === "stopping") && phase.approved !== undefined;
      const wrote = isWrite
        ? ({ wrote: { kind: "done", name: "acme/shop#1", url: move.url ?? "" } } as const)
        : {};
      const reached = move.host === null ? [] : [{ host: move.host, port: 443, allowed: true }];
      return {
        kind: "ran",
        at,
        by,
        message,
        origin,
        isError,
        background,
        reached,
        ...files,
        ...wrote,
      };
    }
    case "decided": {
      const pending = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
      const question = move.stale ? "q999999" : pending;
      const comment =
        move.choice === "changes" || move.choice === "reply"
          ? heard(words, index)
          : move.choice === "edit"
            ? edited(words, index)
            : null;
      const option = move.choice === "choose" || move.choice === "leave_out" ? { option: move.option } : {};
      return { kind: "decided", at, question, choice: move.choice, by: move.by, comment, ...option };
    }
    case "setUp":
      return { kind: "setUp", at, setUp: move.setUp };
    case "putBack":
      return { kind: "putBack", at, putBack: move.putBack };
    case "reached":
      return { kind: "reached", at, reached: [{ host: move.host, port: 443, allowed: move.allowed }] };
    case "blocked": {
      const shown = `m-shown${index}` as const;
      words.set(shown, { kind: "dangers", dangers: [] });
      const by = awaited(state, move.stale);
      return { kind: "blocked", at, by, categories: move.categories, shown, fingerprint: `f${index}` };
    }
    case "proposed": {
      const shown = `m-shown${index}` as const;
      const by = awaited(state, move.stale);
      const pull = index % 2 === 0 ? ({ pull: true } as const) : {};
      const scope = move.scope === null ? {} : { scope: move.scope };
      const isReview = move.write === "post_review" && move.scope === null;
      const review = isReview ? { review: { comments: 2, mayRequest: index % 2 === 0 } } : {};
      const facts = { write: move.write, ...scope, shown, fingerprint: `f${index}`, ...pull, ...review };
      const { phase } = state;
      const isApproved = phase.kind === "running" && phase.approved !== undefined;
      const voided = isApproved && index % 2 === 0 ? { voided: "The branch has moved on." } : {};
      return { kind: "proposed", at, by, ...facts, ...voided };
    }
    case "unseen": {
      const question = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
      return { kind: "unseen", at, question, why: move.why, days: 3 };
    }
    case "modeSet": {
      const prompt = `m-prompt${index}` as const;
      words.set(prompt, { kind: "meta", text: "a prompt" });
      return { kind: "modeSet", at, mode: move.mode, by: "slack:U1", organisation: "slack", prompt };
    }
    case "modelSet":
      return { kind: "modelSet", at, model: move.model, window: move.window, by: move.by };
    case "safeModeSet":
      return { kind: "safeModeSet", at, on: move.on, by: move.by };
    case "upgradeAsked": {
      const message = `m-asked${index}` as const;
      words.set(message, { kind: "answer", blocks: [] });
      return { kind: "upgradeAsked", at, by: move.by, message };
    }
    case "askedAgain":
      return { kind: "askedAgain", at, by: move.by };
    case "granted":
      return { kind: "granted", at, categories: move.categories, by: move.by };
    case "continued":
      return { kind: "continued", at, by: move.by };
    case "summarized": {
      const message = `m-summary${index}` as const;
      words.set(message, { kind: "answer", blocks: [{ kind: "text", text: "so far" }] });
      const by = awaited(state, move.stale);
      return { kind: "summarized", at, by, message, text: move.text, usage, model: "demo" };
    }
    case "moved":
      return { kind: "moved", at, seed: move.seed, by: move.by };
    case "branched": {
      const by = move.stale ? "e999999" : (state.branches[0]?.effect ?? "e0");
      return { kind: "branched", at, by, conversation: move.made ? `c-${index}` : null };
    }
    case "stopped": {
      const then =
        move.send === null ? null : { message: heard(words, index), speaker: move.send, images: 0 };
      const why = move.why === undefined ? {} : { why: move.why };
      return { kind: "stopped", at, by: "console:operator", then, ...why };
    }
    case "erased":
      return {
        kind: "erased",
        at,
        by: "console:operator",
        messages: move.later ? laterMessages(state).map(({ message }) => message) : ["m-said0"],
      };
    case "restricted":
      return { kind: "restricted", at, by: "console:operator" };
    case "due":
      return { kind: "due", at, for: move.stale ? "e999999" : (deadline(state)?.for ?? "e0") };
  }
};

const quotes = (messages: number, own = 0) => ({
  messages,
  previews: 0,
  files: 0,
  pictures: 0,
  ...(own === 0 ? {} : { own }),
});

const heard = (words: Map<string, StoredContent>, index: number) => {
  const message = `m-said${index}` as const;
  words.set(message, { kind: "said", text: `message ${index}`, images: [] });
  return message;
};

const edited = (words: Map<string, StoredContent>, index: number) => {
  const message = `m-edited${index}` as const;
  words.set(message, { kind: "comment", text: `words ${index}` });
  return message;
};

const callOf = (name: string, index: number, n: number): Call => ({
  id: `toolu_${index}_${n}`,
  name,
  ...intentOf(name, index),
});

const intentOf = (name: string, index: number): Intent => {
  if (name === "request_mode_upgrade") {
    const request = (["allowed", "allowed", "open", null] as const)[index % 4] ?? null;
    return request === null ? { intent: "upgrade" } : { intent: "upgrade", request };
  }
  if (name === "spawn_agents") return { intent: "spawn", agents: index % 2 === 0 ? [{}, {}, {}] : [{}] };
  if (name === "ask_person")
    return index % 3 === 0
      ? { intent: "ask", choices: 1, plan: true }
      : { intent: "ask", choices: index % 3 };
  if (name === "submit_result") return { intent: "submit", success: index % 2 === 0 };
  return name === "agent_change_mode"
    ? { intent: "mode", mode: index % 2 === 0 ? "triage" : "general", branch: index % 3 === 0 }
    : { intent: "tool" };
};

const blocksOf = (text: number, calls: readonly Call[]) => [
  ...(text > 0 ? [{ kind: "text", text: "some answer." } as const] : []),
  ...calls.map(({ id, name }) => ({ kind: "toolUse", id, name, input: {} }) as const),
];

/** The effect whose answer the state waits for, or one that it does not. */
const awaited = (state: State, wrong: boolean): EffectId => {
  const { phase } = state;
  if (wrong) return "e999999";
  if (phase.kind === "thinking" || phase.kind === "summarizing") return phase.request;
  return phase.kind === "running" || phase.kind === "awaitingAgents" || phase.kind === "stopping"
    ? phase.effect
    : "e0";
};

/** A handler that writes into its input breaks L1 here and not in production. */
const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
};
