/** Which model answers a turn whose own has failed, and which one the thread has afterwards. */

import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { FailureKind } from "../../src/machine/vocabulary.ts";
import { view } from "../../src/thread/view.ts";
import { actionLabel, isOwnAction } from "../../src/thread/wording.ts";
import { events, inPhase, phases } from "./samples.ts";
import { english } from "../../src/i18n/say.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

const other = { name: "other", window: 100_000 };
const thinking = { ...inPhase({ ...phases.thinking, wait: null, attempt: 3 }), model: "own" };
const own = { name: "own", window: thinking.context.window };

/** After the last attempt. */
const failure = (kind: FailureKind = "overloaded"): Event => ({
  kind: "modelFailed",
  at: 100,
  by: thinking.phase.kind === "thinking" ? thinking.phase.request : "e0",
  failure: { kind, message: "The model is overloaded.", retryAfter: null },
  model: "own",
  other,
});
const fallingBack = (kind?: FailureKind): Event => ({ ...failure(kind), fallback: true }) as Event;
const answered = (state: State): Event => ({
  ...events.answered,
  by: state.phase.kind === "thinking" ? state.phase.request : "e0",
  stop: "end",
  calls: [],
  model: state.model,
});

/** What the post of a failure offers. */
const offers = ({ state, append }: Step): readonly string[] =>
  view(state, append).posts.flatMap(({ body, actions }) =>
    body.kind === "notice" && body.notice.kind === "failed"
      ? actions.flatMap((action) => (isOwnAction(action) ? [actionLabel(action, body, english)] : []))
      : [],
  );

describe("the fallback", () => {
  it("takes the turn over, says so, and the thread has its own model afterwards", () => {
    const fell = step(thinking, fallingBack());
    expect(fell.state).toMatchObject({ model: "other", context: { window: 100_000 }, turn: { own } });
    expect(fell.append).toMatchObject([
      { kind: "notice", notice: { kind: "fellBack", from: "own", to: "other" } },
    ]);
    expect(fell.effects).toMatchObject([{ kind: "think", attempt: 1 }]);
    const after = step(fell.state, answered(fell.state));
    expect(after.append).toMatchObject([{ kind: "answer", model: "other" }]);
    expect(after.state).toMatchObject({ model: "own", context: { window: own.window } });
    expect(after.state.turn).not.toHaveProperty("own");
  });

  it("does so once a turn: when it fails too, people are asked", () => {
    const { state } = step(thinking, fallingBack());
    const again = { ...state, phase: { ...phases.thinking, wait: null, attempt: 3, request: "e9" } } as const;
    const failed = step(again, { ...fallingBack(), by: "e9", model: "other" } as Event);
    expect(failed.state).toMatchObject({ model: "own", phase: { kind: "failed", other } });
    expect(offers(failed)).toEqual(["Try again", "Try with other"]);
  });

  it.each(["budget", "costly", "workspace", "limit"] as const)("does nothing about %s", (kind) => {
    expect(step(thinking, fallingBack(kind)).state.phase).not.toHaveProperty("other");
    expect(step(thinking, fallingBack(kind)).state).toMatchObject({
      model: "own",
      phase: { kind: "failed" },
    });
  });

  it("is no model whose window what was said would fill", () => {
    const full = { ...thinking, context: { ...thinking.context, used: 95_000 } };
    const failed = step(full, fallingBack());
    expect(failed.state).toMatchObject({ model: "own", phase: { kind: "failed" } });
    expect(offers(failed)).toEqual(["Try again"]);
  });

  it("writes the summary where the thread's own model cannot", () => {
    const summing = { ...thinking, phase: { ...phases.summarizing, attempt: 3, by: null } };
    const fell = step(summing, { ...fallingBack(), by: "e1" } as Event);
    expect(fell.state).toMatchObject({ model: "other", phase: { kind: "summarizing", attempt: 1 } });
    expect(fell.effects).toMatchObject([{ kind: "summarize" }]);
  });
});

describe("Try with NAME", () => {
  const failed = step(thinking, failure());

  it("is offered beside Try again, and answers that turn alone", () => {
    expect(offers(failed)).toEqual(["Try again", "Try with other"]);
    const tried = step(failed.state, { ...events.retried, other: true });
    expect(tried.state).toMatchObject({ model: "other", context: { window: 100_000 }, turn: { own } });
    const after = step(tried.state, answered(tried.state));
    expect(after.state).toMatchObject({ model: "own", context: { window: own.window } });
  });

  it("leaves Try again to the thread's own model", () => {
    expect(step(failed.state, events.retried).state.model).toBe("own");
  });

  it("goes where the thread has got that model meanwhile, and a late press changes nothing (L11)", () => {
    const set = step(failed.state, { ...events.modelSet, model: "other", window: 100_000 }).state;
    expect(offers({ ...failed, state: set })).toEqual(["Try again"]);
    expect(transition(set, { ...events.retried, other: true })).toEqual({ kind: "refused", why: "no_op" });
  });

  it("is not there where the host has one model", () => {
    const { other: _, ...alone } = failure() as Event & { kind: "modelFailed" };
    const only = step(thinking, alone);
    expect(offers(only)).toEqual(["Try again"]);
    expect(transition(only.state, { ...events.retried, other: true })).toMatchObject({ kind: "refused" });
  });

  it("is over once a person chooses a model for good", () => {
    const tried = step(failed.state, { ...events.retried, other: true }).state;
    const chosen = step(tried, { ...events.modelSet, model: "other", window: 100_000 }).state;
    expect(chosen.turn).not.toHaveProperty("own");
    expect(step(chosen, answered(chosen)).state.model).toBe("other");
  });
});
