/**
 * Random walks through the machine: generated moves become events that name what the state really awaits, or
 * something stale, so that both honest and hostile orders are reached.
 */

import fc from "fast-check";
import { deadline } from "../../src/core/deadline.ts";
import type { Event } from "../../src/core/event.ts";
import type { EffectId } from "../../src/core/id.ts";
import type { Words } from "../../src/core/prompt.ts";
import type { State } from "../../src/core/state.ts";
import type { Transition } from "../../src/core/step.ts";
import type { Entry } from "../../src/core/transcript.ts";
import { transition } from "../../src/core/transition.ts";
import type {
  Call,
  Category,
  Choice,
  Confinement,
  FailureKind,
  Intent,
  Speaker,
  Stop,
} from "../../src/core/words.ts";
import { fresh, maintainer, stranger, usage } from "./samples.ts";

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
  readonly words: ReadonlyMap<string, Words>;
}

type Move =
  | { readonly kind: "woken"; readonly confinement: Confinement }
  | { readonly kind: "drained" }
  | { readonly kind: "said"; readonly speaker: Speaker }
  | { readonly kind: "retried"; readonly speaker: Speaker }
  | {
      readonly kind: "answered";
      readonly stale: boolean;
      readonly text: number;
      readonly calls: readonly string[];
      readonly stop: Stop;
    }
  | {
      readonly kind: "modelFailed";
      readonly stale: boolean;
      readonly why: FailureKind;
      readonly retryAfter: number | null;
    }
  | { readonly kind: "ran"; readonly stale: boolean; readonly isError: boolean; readonly background: boolean }
  | {
      readonly kind: "decided";
      readonly stale: boolean;
      readonly choice: Choice;
      readonly by: Speaker;
    }
  | { readonly kind: "blocked"; readonly stale: boolean; readonly categories: readonly Category[] }
  | { readonly kind: "reasked" }
  | { readonly kind: "modeSet"; readonly mode: string }
  | { readonly kind: "safeModeSet"; readonly on: boolean; readonly by: Speaker }
  | { readonly kind: "granted"; readonly categories: readonly Category[]; readonly by: Speaker }
  | { readonly kind: "branched"; readonly stale: boolean }
  | { readonly kind: "stopped"; readonly send: Speaker | null }
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

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("woken"),
      confinement: fc.constantFrom("enforced", "enforced", "unavailable"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("said"), speaker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retried"), speaker }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("answered"),
      stale,
      text: fc.constantFrom(0, 12),
      calls: fc.array(
        fc.constantFrom("bash", "patch", "request_mode_upgrade", "agent_change_mode", "unknown_tool"),
        {
          maxLength: 4,
        },
      ),
      stop: fc.constantFrom("tools", "tools", "tools", "end", "max_tokens", "pause", "refusal", "window"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("modelFailed"),
      stale,
      why: fc.constantFrom("overloaded", "network", "auth", "workspace"),
      retryAfter: fc.constantFrom(null, 5_000, 90_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("ran"),
      stale,
      isError: fc.boolean(),
      background: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("decided"),
      stale,
      choice: fc.constantFrom("approve", "approve", "deny", "once", "session", "stay", "switch", "branch"),
      by: speaker,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("blocked"), stale, categories }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "reasked" }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("modeSet"), mode: fc.constantFrom("general", "triage") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("safeModeSet"), on: fc.boolean(), by: speaker }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("granted"), categories, by: speaker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("branched"), stale }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stopped"), send: fc.option(speaker) }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "restricted" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "drained" }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("due"), stale }) },
);

/** Walks of up to 60 events from a fresh or an upgraded conversation, on kernels that hold Restricted and that do not. */
export const walks: fc.Arbitrary<Walk> = fc
  .record({
    confinement: fc.constantFrom("enforced", "enforced", "enforced", "unavailable"),
    upgraded: fc.boolean(),
    moves: fc.array(move, { maxLength: 60, size: "max" }),
  })
  .map(({ confinement, upgraded, moves }) => {
    const start = fresh(confinement);
    return walk(upgraded ? { ...start, permission: "unrestricted" } : start, moves);
  });

export const walk = (start: State, moves: readonly Move[]): Walk => {
  const words = new Map<string, Words>();
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

const eventOf = (state: State, move: Move, index: number, words: Map<string, Words>): Event => {
  const at = 1_000 + index;
  switch (move.kind) {
    case "woken":
      return { kind: "woken", at, boot: `b${index}`, confinement: move.confinement, window: 200_000 };
    case "drained":
      return { kind: "drained", at };
    case "said":
      return { kind: "said", at, message: heard(words, index), speaker: move.speaker, images: 0 };
    case "retried":
      return { kind: "retried", at, speaker: move.speaker };
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
        usage,
      };
    }
    case "modelFailed": {
      const failure = { kind: move.why, message: "It failed.", retryAfter: move.retryAfter };
      return { kind: "modelFailed", at, by: awaited(state, move.stale), failure };
    }
    case "ran": {
      const message = `m-result${index}` as const;
      words.set(message, { kind: "result", text: "ok", images: [], diff: null });
      const { isError, background } = move;
      return { kind: "ran", at, by: awaited(state, move.stale), message, isError, background, reached: [] };
    }
    case "decided": {
      const pending = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
      const question = move.stale ? "q999999" : pending;
      return { kind: "decided", at, question, choice: move.choice, by: move.by, comment: null };
    }
    case "blocked": {
      const shown = `m-shown${index}` as const;
      words.set(shown, { kind: "dangers", dangers: [] });
      const by = awaited(state, move.stale);
      return { kind: "blocked", at, by, categories: move.categories, shown, fingerprint: `f${index}` };
    }
    case "reasked": {
      const question = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
      return { kind: "reasked", at, question, by: "slack:U1" };
    }
    case "modeSet": {
      const prompt = `m-prompt${index}` as const;
      words.set(prompt, { kind: "meta", text: "a prompt" });
      return { kind: "modeSet", at, mode: move.mode, by: "slack:U1", prompt };
    }
    case "safeModeSet":
      return { kind: "safeModeSet", at, on: move.on, by: move.by };
    case "granted":
      return { kind: "granted", at, categories: move.categories, by: move.by };
    case "branched": {
      const by = move.stale ? "e999999" : (state.branches[0]?.effect ?? "e0");
      return { kind: "branched", at, by, conversation: "c-2" };
    }
    case "stopped": {
      const then =
        move.send === null ? null : { message: heard(words, index), speaker: move.send, images: 0 };
      return { kind: "stopped", at, by: "console:operator", then };
    }
    case "restricted":
      return { kind: "restricted", at, by: "console:operator" };
    case "due":
      return { kind: "due", at, for: move.stale ? "e999999" : (deadline(state)?.for ?? "e0") };
  }
};

const heard = (words: Map<string, Words>, index: number) => {
  const message = `m-said${index}` as const;
  words.set(message, { kind: "said", text: `message ${index}`, images: [] });
  return message;
};

const callOf = (name: string, index: number, n: number): Call => ({
  id: `toolu_${index}_${n}`,
  name,
  ...intentOf(name, index),
});

const intentOf = (name: string, index: number): Intent => {
  if (name === "request_mode_upgrade") return { intent: "upgrade" };
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
  if (phase.kind === "thinking") return phase.request;
  return phase.kind === "running" || phase.kind === "stopping" ? phase.effect : "e0";
};

/** A handler that writes into its input breaks L1 here and not in production. */
const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
};
