/** Answers that somebody looks at before they are posted, over generated walks. A failing seed is committed to `seeds` below. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { openTurn } from "../../src/thread/turn-post.ts";
import { answerAsked, events, inPhase, maintainer, phases, stranger } from "./samples.ts";
import { type Walk, walks } from "./walk.ts";

const RUNS = 300;

const law = (name: string, holds: (walk: Walk) => void, seeds: readonly number[] = []): void =>
  it(name, () => {
    const property = fc.property(walks, holds);
    for (const seed of seeds) fc.assert(property, { numRuns: RUNS, seed });
    fc.assert(property, { numRuns: RUNS });
  });

const isHeld = ({ phase }: State): boolean =>
  phase.kind === "awaitingApproval" && phase.question.kind === "answer";

describe("an answer that somebody looks at first", () => {
  law("is never the end of its turn by itself", (walk) => {
    for (const { event, result } of walk.steps) {
      if (result.kind === "refused" || event.kind !== "answered") continue;
      const { turn } = result.state;
      if (turn.reviewed === undefined || turn.end === null) continue;
      // What is no answer is told as ever.
      const isNone = result.append.some(
        ({ kind }, index) => kind === "notice" && index === result.append.length - 1,
      );
      expect(isNone).toBe(true);
    }
  });

  law("is decided once, by who may approve, and ends its turn so", (walk) => {
    for (const { before, event, result } of walk.steps) {
      if (!isHeld(before) || event.kind !== "decided" || result.kind === "refused") continue;
      expect(event.by.mayApprove).toBe(true);
      expect(result.state.phase).toEqual({ kind: "idle" });
      expect(result.state.turn.end?.why).toBe(event.choice === "discard" ? "discarded" : "answered");
      expect(transition(result.state, event)).toEqual({ kind: "refused", why: "already_decided" });
    }
  });

  law("is held in no turn for which nobody asked for it, and tells nothing while it goes on", (walk) => {
    let entries: readonly Entry[] = [];
    for (const { result } of walk.steps) {
      if (result.kind === "refused") continue;
      entries = [...entries, ...result.append];
      const { state } = result;
      if (isHeld(state)) expect(state.turn.reviewed).toBe("C1");
      if (state.turn.reviewed !== undefined) expect(openTurn(state, entries)).toBeNull();
    }
  });
});

const held: State = { ...inPhase(answerAsked), turn: { ...inPhase(answerAsked).turn, reviewed: "C1" } };
const decide = (change: Partial<Event & { kind: "decided" }>): ReturnType<typeof transition> =>
  transition(held, { ...events.decided, ...change });

describe("whoever looks at it", () => {
  it("may edit it with words, and the model is told what people read", () => {
    expect(decide({ choice: "edit" })).toEqual({ kind: "refused", why: "no_words" });
    const edited = decide({ choice: "edit", comment: "m-c" });
    expect(edited).toMatchObject({
      append: [
        { kind: "granted", ask: { kind: "answer" }, decision: { choice: "edit", comment: "m-c" } },
        { kind: "note", note: { kind: "edited", message: "m-c" } },
      ],
    });
  });

  it("may discard it, and the model is told that nobody read it", () => {
    expect(decide({ choice: "discard" })).toMatchObject({
      append: [{ kind: "granted" }, { kind: "note", note: "discarded" }],
    });
  });

  it("is nobody without the right to approve", () => {
    expect(decide({ choice: "send", by: stranger })).toEqual({ kind: "refused", why: "not_allowed" });
    expect(decide({ choice: "send", by: maintainer }).kind).toBe("step");
    expect(decide({ choice: "approve" })).toEqual({ kind: "refused", why: "wrong_choice" });
  });

  it("is waited for: nothing else is taken meanwhile, and a stop takes it back", () => {
    expect(transition(held, events.said)).toEqual({ kind: "refused", why: "answer_held" });
    const stopped = transition(held, events.stopped);
    expect(stopped).toMatchObject({
      state: { phase: { kind: "idle" }, turn: { end: { why: "stopped" } } },
      append: [{ kind: "granted", decision: { choice: "discard" } }, { notice: { kind: "stopped" } }],
    });
  });

  it("is told of once for each reason, and a restart keeps the answer", () => {
    const late = transition(held, events.unseen);
    expect(late).toMatchObject({ append: [{ notice: { kind: "unseen", why: "late", days: 3 } }] });
    if (late.kind === "refused") throw new Error(late.why);
    expect(transition(late.state, events.unseen)).toEqual({ kind: "refused", why: "no_op" });
    expect(transition(late.state, { ...events.unseen, why: "unreachable" }).kind).toBe("step");
    expect(transition(inPhase(phases.idle), events.unseen)).toEqual({ kind: "refused", why: "stale" });
    const woken = transition(late.state, events.woken);
    expect(woken.kind === "step" && isHeld(woken.state)).toBe(true);
  });
});
