import { describe, expect, it } from "vitest";
import { deadline } from "../../src/machine/deadline.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Event } from "../../src/machine/event.ts";
import {
  answerAsked,
  bash,
  dangerAsked,
  events,
  fresh,
  inPhase,
  maintainer,
  modeAsked,
  personAsked,
  overloaded,
  patch,
  phases,
  resultAsked,
  reviewAsked,
  stranger,
  upgrade,
  writeAsked,
} from "./samples.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

describe("the matrix", () => {
  it("says for every phase and event what becomes of it", async () => {
    const questions = {
      danger: dangerAsked,
      mode: modeAsked,
      write: writeAsked,
      review: reviewAsked,
      result: resultAsked,
      answer: answerAsked,
      person: personAsked,
    };
    const rows = Object.entries({ ...phases, ...questions }).map(([name, phase]) => {
      const cells = Object.values(events).map((event) => {
        const result = transition(inPhase(phase), event);
        const outcome = result.kind === "refused" ? `(${result.why})` : summary(result);
        return `  ${event.kind.padEnd(12)} ${outcome}`;
      });
      return [name, ...cells].join("\n");
    });
    await expect(`${rows.join("\n\n")}\n`).toMatchFileSnapshot("./matrix.txt");
  });
});

const summary = ({ state, append, effects }: Step): string =>
  [
    `-> ${state.phase.kind}`,
    ...(append.length > 0 ? [`append ${append.map((entry) => entry.kind).join(", ")}`] : []),
    ...(effects.length > 0 ? [`effects ${effects.map((effect) => effect.kind).join(", ")}`] : []),
  ].join("; ");

describe("a turn", () => {
  it("BED-003.1 ends idle with the answer stored", () => {
    const { state, append } = step(inPhase(phases.thinking), { ...events.answered, calls: [], stop: "end" });
    expect(state.phase).toEqual({ kind: "idle" });
    expect(append.map((entry) => entry.kind)).toEqual(["answer"]);
    expect(state.context.used).toBe(20);
  });

  it("BED-004.1 runs the first call alone, the next when it has come back", () => {
    const first = step(inPhase(phases.thinking), { ...events.answered, calls: [bash, patch] });
    expect(first.effects).toMatchObject([{ kind: "run", call: bash, permission: "restricted" }]);
    const [run] = first.effects;
    if (run?.kind !== "run") throw new Error("nothing runs");
    const second = step(first.state, { ...events.ran, by: run.id });
    expect(second.effects).toMatchObject([{ kind: "run", call: patch }]);
  });

  it("BED-003.3 continues an unfinished response at most four times", () => {
    let state = inPhase(phases.thinking);
    for (let part = 1; part < 5; part += 1) {
      if (state.phase.kind !== "thinking") throw new Error("it stopped early");
      const next = step(state, {
        ...events.answered,
        by: state.phase.request,
        calls: [],
        stop: "max_tokens",
      });
      state = next.state;
    }
    if (state.phase.kind !== "thinking") throw new Error("it stopped early");
    const last = step(state, { ...events.answered, by: state.phase.request, calls: [], stop: "max_tokens" });
    expect(last.state.phase.kind).toBe("idle");
    expect(last.append.at(-1)).toMatchObject({ kind: "notice", notice: { kind: "cut" } });
  });

  it("an answer of nothing ends the turn with a notice and leaves no empty message", () => {
    const { append } = step(inPhase(phases.thinking), {
      ...events.answered,
      text: 0,
      calls: [],
      stop: "end",
    });
    expect(append).toMatchObject([{ kind: "notice", notice: { kind: "empty" } }]);
  });
});

describe("retry", () => {
  it("C8 makes three attempts, one second and two seconds apart, then fails with the reason", () => {
    const one = step(inPhase(phases.thinking), events.modelFailed);
    expect(deadline(one.state)).toEqual({ for: "e11", delay: 1_000 });
    const two = step(one.state, { ...events.due, for: "e11" });
    expect(two.effects).toEqual([{ kind: "think", id: "e12", attempt: 2 }]);
    const three = step(two.state, { ...events.modelFailed, by: "e12" });
    expect(deadline(three.state)?.delay).toBe(2_000);
    const four = step(three.state, { ...events.due, for: "e13" });
    const end = step(four.state, { ...events.modelFailed, by: "e14" });
    expect(end.state.phase).toEqual({ kind: "failed", failure: overloaded });
    expect(end.append).toMatchObject([{ kind: "notice", notice: { kind: "failed", attempts: 3 } }]);
  });

  it("honours a longer Retry-After and gives up on one above a minute (D11)", () => {
    const patient = { ...overloaded, retryAfter: 7_000 };
    expect(
      deadline(step(inPhase(phases.thinking), { ...events.modelFailed, failure: patient }).state)?.delay,
    ).toBe(7_000);
    const endless = { ...overloaded, retryAfter: 61_000 };
    const failed = step(inPhase(phases.thinking), { ...events.modelFailed, failure: endless });
    expect(failed.state.phase.kind).toBe("failed");
  });

  it("DS-retry a stop during the wait leaves no later request", () => {
    const waiting = step(inPhase(phases.thinking), events.modelFailed);
    const stopped = step(waiting.state, events.stopped);
    expect(stopped.effects).toEqual([]);
    expect(transition(stopped.state, { ...events.due, for: "e11" })).toEqual({
      kind: "refused",
      why: "stale",
    });
  });
});

describe("the upgrade question", () => {
  const asked = step(inPhase(phases.thinking), { ...events.answered, calls: [upgrade, patch] });
  const question = asked.state.phase.kind === "awaitingApproval" ? asked.state.phase.question.id : "q0";

  it("BED-015.2 pauses without an effect", () => {
    expect(asked.state.phase.kind).toBe("awaitingApproval");
    expect(asked.effects).toEqual([]);
  });

  it("TR.2 approve runs the rest of the round unrestricted and tells the model after the results", () => {
    const approved = step(asked.state, { ...events.decided, question });
    expect(approved.effects).toMatchObject([{ kind: "run", call: patch, permission: "unrestricted" }]);
    const done = step(approved.state, { ...events.ran, by: "e12" });
    expect(done.append.map((entry) => entry.kind)).toEqual(["result", "note"]);
  });

  it("TR.3 deny answers the call, runs the rest restricted, and the same turn is not asked twice (C30)", () => {
    const twice = step(inPhase(phases.thinking), {
      ...events.answered,
      calls: [upgrade, { ...upgrade, id: "again" }],
    });
    if (twice.state.phase.kind !== "awaitingApproval") throw new Error("not asked");
    const denied = step(twice.state, {
      ...events.decided,
      question: twice.state.phase.question.id,
      choice: "deny",
    });
    expect(denied.append.map((entry) => (entry.kind === "result" ? entry.outcome : null))).toMatchObject([
      { text: "Denied by user: the conversation stays in Restricted mode.", decision: { choice: "deny" } },
      { text: "Denied by user: the conversation stays in Restricted mode.", decision: null },
    ]);
    expect(denied.state.phase.kind).toBe("thinking");
  });

  it("two requests in one response: the second learns that the first was approved", () => {
    const twice = step(inPhase(phases.thinking), {
      ...events.answered,
      calls: [upgrade, { ...upgrade, id: "again" }],
    });
    if (twice.state.phase.kind !== "awaitingApproval") throw new Error("not asked");
    const approved = step(twice.state, { ...events.decided, question: twice.state.phase.question.id });
    expect(approved.append.at(2)).toMatchObject({
      kind: "result",
      outcome: { text: "Already in Unrestricted mode" },
    });
  });

  it("a click of someone who may not approve changes nothing; of someone who may, it counts", () => {
    expect(transition(asked.state, { ...events.decided, question, by: stranger })).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
    expect(transition(asked.state, { ...events.decided, question, by: maintainer }).kind).toBe("step");
  });

  it("C7 a stop denies and skips", () => {
    const stopped = step(asked.state, events.stopped);
    expect(stopped.state.phase).toEqual({ kind: "idle" });
    expect(stopped.append).toMatchObject([
      { kind: "result", outcome: { decision: { choice: "deny" } } },
      { kind: "result", outcome: { text: "Skipped due to cancellation" } },
      { kind: "notice", notice: { kind: "stopped", skipped: 1 } },
    ]);
  });

  it("survives a restart untouched (BED-015.5)", () => {
    expect(step(asked.state, events.woken).state.phase).toEqual(asked.state.phase);
  });

  it("L13 a speaker who may not drive cannot have it asked", () => {
    const state = {
      ...inPhase(phases.thinking),
      turn: { ...inPhase(phases.thinking).turn, speaker: stranger },
    };
    const answered = step(state, { ...events.answered, calls: [upgrade] });
    expect(answered.state.phase.kind).toBe("thinking");
    expect(answered.append.at(1)).toMatchObject({ kind: "result", outcome: { isError: true } });
  });
});

describe("without a sandbox (D3)", () => {
  it("BED-014.2 begins Unrestricted for those who may drive, and refuses others", () => {
    const state = fresh("unavailable");
    expect(state.permission).toBe("unrestricted");
    expect(transition(state, events.said).kind).toBe("step");
    expect(transition(state, { ...events.said, speaker: stranger })).toEqual({
      kind: "refused",
      why: "not_confined",
    });
  });

  it("a Restricted conversation on a worse kernel keeps its permission and runs nothing, but may ask", () => {
    const woken = step(fresh(), {
      ...events.woken,
      confinement: "unavailable",
    });
    expect(woken.state).toMatchObject({ permission: "restricted", confinement: "unavailable" });
    const thinking = step(woken.state, events.said);
    const answered = step(thinking.state, { ...events.answered, by: "e2", calls: [bash, upgrade] });
    expect(answered.append.at(1)).toMatchObject({ kind: "result", call: bash, outcome: { isError: true } });
    expect(answered.state.phase.kind).toBe("awaitingApproval");
  });

  it("BASH-009.3 Restrict is refused with the kernel's needs; with a sandbox it is taken", () => {
    expect(transition(fresh("unavailable"), events.restricted)).toEqual({
      kind: "refused",
      why: "not_available",
    });
    expect(transition({ ...fresh(), permission: "unrestricted" }, events.restricted).kind).toBe("step");
  });
});

describe("stop", () => {
  it("BED-005.2 kills the tool, then answers it and skips the rest", () => {
    const stopping = step(inPhase(phases.running), events.stopped);
    expect(stopping.effects).toEqual([{ kind: "kill", target: "e2" }]);
    const ended = step(stopping.state, events.ran);
    expect(ended.append).toMatchObject([
      { outcome: { text: "Cancelled by user" } },
      { outcome: { text: "Skipped due to cancellation" } },
      { kind: "notice" },
    ]);
  });

  it("D7 Stop and send begins the held message when the stop is through", () => {
    const then = { message: "m-next", speaker: maintainer, images: 0 } as const;
    const stopping = step(inPhase(phases.running), { ...events.stopped, then });
    const ended = step(stopping.state, events.ran);
    expect(ended.state.phase.kind).toBe("thinking");
    expect(ended.append.at(-1)).toMatchObject({ kind: "said", message: "m-next", turn: 2 });
  });
});
