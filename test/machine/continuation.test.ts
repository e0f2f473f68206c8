/** A full context ends a conversation and another one goes on from it: rows 53-64 and 127-131. */

import { describe, expect, it } from "vitest";
import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { view } from "../../src/thread/view.ts";
import type { Usage } from "../../src/machine/vocabulary.ts";
import { bash, events, inPhase, maintainer, overloaded, patch, phases, stranger, usage } from "./samples.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

const refusal = (state: State, event: Event): string => {
  const result = transition(state, event);
  return result.kind === "refused" ? result.why : "";
};

const of = (used: number): Usage => ({ ...usage, input: used, output: 0, cacheRead: 0, cacheWrite: 0 });

const answeredAt = (used: number, more: Partial<Event & { kind: "answered" }> = {}): Step =>
  step(inPhase(phases.thinking), { ...events.answered, calls: [bash, patch], usage: of(used), ...more });

const ended = (result: Step) => result.append.find(({ kind }) => kind === "summary");

/** The buttons of the warning, by its key. */
const offers = ({ state, append }: Step) =>
  view(state, append).posts.flatMap(({ key, actions, body }) =>
    body.kind === "notice" && body.notice.kind === "context" ? [[key, actions]] : [],
  );

describe("at 90 % of the window", () => {
  it("rows 53, 131: at exactly 90 % nothing of the response is run, and at 89.99 % it is", () => {
    expect(answeredAt(179_999).effects).toMatchObject([{ kind: "run" }]);
    const { state, append, effects } = answeredAt(180_000);
    expect(effects).toEqual([{ kind: "summarize", id: `e${state.seq}`, rejected: [bash, patch] }]);
    expect(state.phase).toMatchObject({ kind: "summarizing", rejected: [bash, patch], by: null });
    expect(append.map(({ kind }) => kind)).toEqual(["answer", "result", "result"]);
  });

  it("row 54: tokens that the cache read and wrote count", () => {
    const cached = { ...of(20_000), cacheRead: 150_000, cacheWrite: 10_000 };
    expect(answeredAt(0, { usage: cached }).effects).toMatchObject([{ kind: "summarize" }]);
  });

  it("BED-019.1: an answer without calls ends the conversation too, with nothing rejected", () => {
    const { state } = answeredAt(190_000, { calls: [], stop: "end" });
    expect(state.phase).toMatchObject({ kind: "summarizing", rejected: [] });
  });

  it("row 60: the same usage is nothing in a model with a larger window", () => {
    const large = { ...inPhase(phases.thinking), context: { used: 0, window: 1_000_000, warned: false } };
    expect(step(large, { ...events.answered, usage: of(190_000) }).effects).toMatchObject([{ kind: "run" }]);
  });

  it("D15: what the provider finds too large goes the same way, and never round in a circle", () => {
    const tooLarge = { kind: "context", message: "It is too large.", retryAfter: null } as const;
    const first = step(inPhase(phases.thinking), { ...events.modelFailed, failure: tooLarge });
    expect(first.state.phase.kind).toBe("summarizing");
    const again = step(first.state, {
      ...events.modelFailed,
      by: `e${first.state.seq}`,
      failure: tooLarge,
    });
    expect(again.state.phase).toMatchObject({ kind: "exhausted", summary: null });
    expect(answeredAt(20, { calls: [], stop: "window" }).state.phase.kind).toBe("summarizing");
  });

  it("L9: a window that became smaller while an answer was awaited runs nothing either", () => {
    const asked = {
      ...inPhase(phases.awaitingApproval),
      context: { used: 190_000, window: 200_000, warned: true },
    };
    const { effects, append } = step(asked, events.decided);
    expect(effects).toMatchObject([{ kind: "summarize", rejected: [patch] }]);
    expect(append.filter(({ kind }) => kind === "result")).toHaveLength(2);
  });

  it("row 64: a sub-agent has failed; nothing goes on from it", () => {
    const sub: State = { ...inPhase(phases.thinking), kind: "subagent" };
    const { state, effects } = step(sub, { ...events.answered, usage: of(180_000) });
    expect(effects).toEqual([]);
    expect(state.phase).toMatchObject({
      kind: "ended",
      how: "context",
      why: "context exhausted before result submission",
    });
    expect(refusal({ ...sub, phase: phases.idle }, events.continued)).toBe("sub_agent");
  });
});

describe("the summary", () => {
  const asking = inPhase(phases.summarizing);

  it("row 56: what came is kept, and the last response is what the context counts (C17)", () => {
    const { state, append } = step(asking, events.summarized);
    expect(state.phase).toEqual({ kind: "exhausted", summary: "m-u", next: null });
    expect(append).toMatchObject([{ kind: "summary", ended: "summarized", rejected: ["bash", "patch"] }]);
    expect(state.context).toEqual(asking.context);
    expect(state.usage.costMicroUsd).toBe(asking.usage.costMicroUsd + usage.costMicroUsd);
  });

  it("row 57: failures are tried again as any other, and then there is none", () => {
    let { state } = { state: asking };
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      if (state.phase.kind !== "summarizing") throw new Error("it gave up early");
      const failed = step(state, { ...events.modelFailed, by: state.phase.request });
      expect(failed.state.phase).toMatchObject({ attempt: attempt + 1, wait: { failure: overloaded } });
      state = step(failed.state, { ...events.due, for: `e${failed.state.seq}` }).state;
    }
    if (state.phase.kind !== "summarizing") throw new Error("it gave up early");
    const last = step(state, { ...events.modelFailed, by: state.phase.request });
    expect(ended(last)).toMatchObject({ ended: "failed", message: null });
    expect(last.state.phase).toMatchObject({ kind: "exhausted", summary: null });
  });

  it("a budget that does not cover it ends nothing: another try asks for it again", () => {
    const full = { ...asking, context: { used: 190_000, window: 200_000, warned: true } };
    const budget = { kind: "budget", message: "The budget is spent.", retryAfter: null } as const;
    const { state } = step(full, { ...events.modelFailed, failure: budget });
    expect(state.phase).toMatchObject({ kind: "failed", failure: budget });
    expect(step(state, events.retried).effects).toMatchObject([{ kind: "summarize" }]);
  });

  it("row 57: a summary without a word is none", () => {
    expect(ended(step(asking, { ...events.summarized, text: 0 }))).toMatchObject({ ended: "failed" });
  });

  it("row 127: whoever stops it ends the conversation without one, and what comes late is stale", () => {
    const stopped = step(asking, events.stopped);
    expect(ended(stopped)).toMatchObject({ ended: "cancelled" });
    expect(stopped.effects).toEqual([{ kind: "abortThinking", target: "e1" }]);
    expect(refusal(stopped.state, events.summarized)).toBe("stale");
  });

  it("the host's own stop ends no conversation: its words were taken back", () => {
    expect(step(asking, { ...events.stopped, why: "erased" }).state.phase).toEqual({ kind: "idle" });
  });

  it("C24: a message meanwhile is refused, and so is Stop and send", () => {
    expect(refusal(asking, events.said)).toBe("summarizing");
    const then = { message: "m-x", speaker: maintainer, images: 0 } as const;
    expect(refusal(asking, { ...events.stopped, then })).toBe("summarizing");
  });

  it("C4: a restart ends it idle, and another try asks for the summary again", () => {
    const full = { ...asking, context: { used: 190_000, window: 200_000, warned: true } };
    const { state } = step(full, events.woken);
    expect(state.phase).toEqual({ kind: "idle" });
    expect(step(state, events.retried).effects).toMatchObject([{ kind: "summarize" }]);
  });
});

describe("an exhausted conversation", () => {
  const over = inPhase(phases.exhausted);
  const move = { ...events.moved, seed: "empty" } as const;

  it("rows 58, 128: takes no message and nothing else, and survives a restart", () => {
    expect(refusal(over, events.said)).toBe("context_exhausted");
    for (const kind of ["retried", "continued", "modeSet", "safeModeSet", "granted"] as const)
      expect(refusal(over, events[kind])).toBe("context_exhausted");
    for (const kind of ["stopped", "drained"] as const) expect(refusal(over, events[kind])).toBe("no_op");
    expect(step(over, events.woken).state.phase).toEqual(over.phase);
    expect(step(over, events.erased).state.phase).toEqual(over.phase);
  });

  it("row 59: goes on with the summary or empty, in the same mode, with who chose it", () => {
    const { effects } = step(over, events.moved);
    const seed = { summary: "m-u", speaker: maintainer };
    expect(effects).toEqual([{ kind: "branch", id: "e11", mode: "general", by: maintainer.id, seed }]);
    expect(step(over, move).effects).toMatchObject([{ seed: { summary: null } }]);
  });

  it("row 59: a second click leads to the same thread, before and after it is there", () => {
    const once = step(over, events.moved);
    expect(refusal(once.state, events.moved)).toBe("already_continued");
    expect(refusal(once.state, move)).toBe("already_continued");
    const there = step(once.state, { ...events.branched, by: "e11", link: "https://x.test/1" });
    expect(there.state.phase).toMatchObject({ next: "c-2", link: "https://x.test/1" });
    expect(refusal(there.state, move)).toBe("already_continued");
    expect(refusal(there.state, events.continued)).toBe("already_continued");
  });

  it("a thread that could not be opened is told, and can be chosen again", () => {
    const once = step(over, events.moved);
    const { state, append } = step(once.state, {
      ...events.branched,
      by: "e11",
      conversation: null,
      why: "no threads here",
    });
    expect(append).toMatchObject([{ notice: { kind: "notContinued", why: "no threads here" } }]);
    expect(step(state, move).effects).toMatchObject([{ kind: "branch" }]);
  });

  it("D6: a restart asks again for a thread that is not there yet", () => {
    const once = step(over, events.moved);
    expect(step(once.state, events.woken).effects).toEqual(once.effects);
  });

  it("without a summary there is nothing to begin with but nothing", () => {
    const bare = inPhase({ ...phases.exhausted, summary: null });
    expect(refusal(bare, events.moved)).toBe("wrong_choice");
    expect(step(bare, move).effects).toMatchObject([{ seed: { summary: null } }]);
  });

  it("D3: whoever may not work where nothing is held does not go on either", () => {
    const open: State = { ...over, confinement: "unavailable" };
    expect(refusal(open, { ...move, by: stranger })).toBe("not_confined");
    expect(step(open, move).effects).toHaveLength(1);
  });
});

describe("by hand", () => {
  it("row 63: from a quiet conversation the same way, with nothing rejected", () => {
    const { state, effects } = step(inPhase(phases.idle), events.continued);
    expect(effects).toMatchObject([{ kind: "summarize", rejected: [] }]);
    expect(state.phase).toMatchObject({ kind: "summarizing", by: maintainer.id });
    expect(step(state, { ...events.summarized, by: `e${state.seq}` }).state.phase.kind).toBe("exhausted");
  });

  it("C24: not while the agent works, nor where nothing was said", () => {
    expect(refusal(inPhase(phases.thinking), events.continued)).toBe("agent_busy");
    expect(
      refusal({ ...inPhase(phases.idle), turn: { ...inPhase(phases.idle).turn, no: 0 } }, events.continued),
    ).toBe("no_op");
  });

  it("row 62: the warning's button is there while nothing goes on, also turns later", () => {
    const told = answeredAt(161_000, { calls: [], stop: "end" });
    const key = `notice/${told.state.seq}`;
    expect(offers(told)).toEqual([[key, ["continue"]]]);
    const working = step(told.state, events.said);
    expect(offers(working)).toEqual([[key, []]]);
    const again = step(working.state, {
      ...events.answered,
      by: `e${working.state.seq}`,
      calls: [],
      stop: "end",
      usage: of(162_000),
    });
    expect(offers(again)).toEqual([[key, ["continue"]]]);
  });
});
