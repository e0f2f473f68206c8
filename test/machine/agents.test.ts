/** Sub-agents: the laws of both ends (L8), over generated event sequences, and what each limit comes to. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Agent, AGENT_TURNS, agentId, familyOf } from "../../src/machine/agent.ts";
import { canonical } from "../../src/text/canonical.ts";
import { deadline } from "../../src/machine/deadline.ts";
import type { Event } from "../../src/machine/event.ts";
import { prompt } from "../../src/thread/prompt.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { view } from "../../src/thread/view.ts";
import type { Call } from "../../src/machine/vocabulary.ts";
import { pairingProblem } from "./pairing.ts";
import {
  bash,
  events,
  freshAgent,
  inPhase,
  overloaded,
  patch,
  phases,
  spawn,
  submit,
  upgrade,
  usage,
} from "./samples.ts";
import { agentWalks, type Walk, type Walked, walks } from "./walk.ts";

const RUNS = 500;

const law = (name: string, arbitrary: fc.Arbitrary<Walk>, holds: (walk: Walk) => void): void =>
  it(name, () => fc.assert(fc.property(arbitrary, holds), { numRuns: RUNS }));

const taken = (walk: Walk): readonly (Walked & { result: Step })[] =>
  walk.steps.flatMap((step) => (step.result.kind === "step" ? [{ ...step, result: step.result }] : []));

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

const shown = (state: State, entries: readonly Entry[]) =>
  view(state, entries).posts.find(({ key }) => key === `call/m-a/${spawn.id}`);

const resultOf = (append: readonly Entry[], call: string) => {
  const found = append.findLast((entry) => entry.kind === "result" && entry.call.id === call);
  return found?.kind === "result" ? found.outcome : null;
};

describe("L8 the parent", () => {
  law("starts as many as there are tasks, and gets one end of each, in their order", walks, (walk) => {
    let started: readonly { readonly id: string }[] = [];
    for (const { before, event, result } of taken(walk)) {
      for (const entry of result.append) {
        if (entry.kind !== "result" || entry.outcome.kind !== "ran") continue;
        if (entry.call.intent !== "spawn") continue;
        const { agents = [] } = entry.outcome;
        expect(agents.map(({ id }) => id)).toEqual(started.map(({ id }) => id));
        expect(agents.every(({ end }) => end !== null)).toBe(true);
      }
      for (const effect of result.effects) {
        if (effect.kind !== "spawn" || effect.call.intent !== "spawn") continue;
        expect(effect.agents).toHaveLength(effect.call.agents.length);
        started = effect.agents;
      }
      if (event.kind !== "agentReported") continue;
      const was = agentsOf(before);
      const is = agentsOf(result.state);
      expect(open(is)).toBe(open(was) - 1);
      expect(is).toHaveLength(was.length);
    }
  });

  law("counts what they cost, once", walks, (walk) => {
    for (const { before, event, result } of taken(walk)) {
      const gained = result.state.usage.costMicroUsd - before.usage.costMicroUsd;
      const isPaid = ["answered", "agentReported", "summarized"].includes(event.kind);
      const spent = isPaid ? usage.costMicroUsd : 0;
      expect(gained).toBe(spent);
    }
  });

  law("waits with its next call until the last of them has ended", walks, (walk) => {
    for (const { before, event, result } of taken(walk)) {
      if (before.phase.kind !== "awaitingAgents" || result.state.phase.kind === "awaitingAgents") continue;
      expect(["ran", "stopped", "woken", "drained"]).toContain(event.kind);
      if (event.kind === "ran") expect(open(before.phase.agents)).toBe(0);
    }
  });

  it("tells them when their time is over, ends them after the grace, and waits for nothing else then", () => {
    const first = step(inPhase(phases.awaitingAgents), events.due);
    expect(first.effects).toEqual([{ kind: "hurryAgents", target: "e2" }]);
    const wait = deadline(first.state);
    expect(wait?.delay).toBe(60_000);
    const second = step(first.state, { ...events.due, for: wait?.for ?? "e0" });
    expect(second.effects).toEqual([{ kind: "endAgents", target: "e2" }]);
    expect(deadline(second.state)).toBeNull();
    const told = step(second.state, events.agentReported);
    expect(step(told.state, events.ran).effects).toMatchObject([{ kind: "run", call: patch }]);
  });

  it("row 25: the result is one, and takes no earlier place than the last report", () => {
    const waiting = inPhase(phases.awaitingAgents);
    expect(transition(waiting, events.ran)).toEqual({ kind: "refused", why: "stale" });
    const told = step(waiting, events.agentReported);
    expect(transition(told.state, events.agentReported)).toEqual({ kind: "refused", why: "stale" });
    const { append } = step(told.state, events.ran);
    expect(resultOf(append, spawn.id)).toMatchObject({
      kind: "ran",
      message: "m-r",
      agents: [{ end: { how: "submitted" } }, { end: { how: "time" } }],
    });
  });

  it("C20: Stop ends them all, counts what they cost until then, and answers every call of the round", () => {
    const stopping = step(inPhase(phases.awaitingAgents), events.stopped);
    expect(stopping.effects).toEqual([{ kind: "kill", target: "e2" }]);
    const told = step(stopping.state, { ...events.agentReported, end: { how: "stopped", usage } });
    expect(told.state.usage).toEqual(usage);
    const { state, append } = step(told.state, events.ran);
    expect(state.phase.kind).toBe("idle");
    expect(resultOf(append, spawn.id)).toMatchObject({
      text: "Cancelled by user",
      agents: [{ end: { how: "submitted" } }, { end: { how: "stopped" } }],
    });
    expect(resultOf(append, patch.id)).toMatchObject({ text: "Skipped due to cancellation" });
  });

  it("D14: after a restart those that worked are interrupted, the turn ends, and nothing starts again", () => {
    const agents = {
      message: "m-g",
      isError: false,
      ends: [
        { how: "submitted", usage },
        { how: "interrupted", usage },
      ],
    } as const;
    const { state, append, effects } = step(inPhase(phases.awaitingAgents), { ...events.woken, agents });
    expect(state.phase.kind).toBe("idle");
    expect(state.turn.end?.why).toBe("interrupted");
    expect(effects).toEqual([]);
    expect(state.usage).toEqual(usage);
    expect(resultOf(append, spawn.id)).toMatchObject({
      kind: "ran",
      message: "m-g",
      agents: [{ end: { how: "submitted" } }, { end: { how: "interrupted" } }],
    });
  });

  it("shows them in the post of the call, while they work and after", () => {
    const answer = { kind: "answer", message: "m-a", text: 0, calls: [spawn, patch], stop: "tools" } as const;
    const entry = { turn: 1, seq: 1, at: 1, ...answer };
    const working = inPhase(phases.awaitingAgents);
    expect(shown(working, [entry])).toMatchObject({ final: false, body: { agents: [{}, { end: null }] } });
    const told = step(working, events.agentReported);
    const { state, append } = step(told.state, events.ran);
    expect(shown(state, [entry, ...append])).toMatchObject({
      final: true,
      body: { agents: [{}, { end: { how: "time" } }] },
    });
  });

  it("names them after itself, so that everything of theirs is found", () => {
    expect(agentId("c-ab12", "e7", 0)).toBe("c-ab12-e7-1");
    expect(familyOf("c-ab12-e7-1")).toBe("c-ab12");
    expect(familyOf("c-ab12")).toBe("c-ab12");
  });
});

describe("L8 a sub-agent", () => {
  law("is held by what held it at its beginning, asks nobody and starts nobody", agentWalks, (walk) => {
    for (const { result } of taken(walk)) {
      const { state, effects } = result;
      expect(state.permission).toBe(walk.start.permission);
      expect(state.phase.kind).not.toBe("awaitingApproval");
      expect(state.phase.kind).not.toBe("awaitingAgents");
      for (const effect of effects) {
        expect(["spawn", "branch"]).not.toContain(effect.kind);
        if (effect.kind === "run" && walk.start.confinement === "enforced")
          expect(effect.permission).toBe("restricted");
      }
    }
  });

  law("has one turn, and is over with it for good", agentWalks, (walk) => {
    for (const { before, event, result } of walk.steps) {
      if (result.kind === "step") {
        expect(result.state.turn.no).toBeLessThanOrEqual(1);
        expect(result.state.turn.end !== null).toBe(result.state.phase.kind === "ended");
      }
      if (before.phase.kind !== "ended" || result.kind === "refused") continue;
      expect(["woken", "erased"]).toContain(event.kind);
      expect(result.state.phase).toEqual(before.phase);
      expect(result.effects).toEqual([]);
    }
  });

  law("has one response left once it has reached a limit", agentWalks, (walk) => {
    let answers = 0;
    for (const { before, event } of taken(walk)) {
      if (before.grace !== undefined && event.kind === "answered" && event.stop === "tools") answers += 1;
    }
    expect(answers).toBeLessThanOrEqual(1);
    expect(walk.end.turn.rounds).toBeLessThanOrEqual(AGENT_TURNS.unrestricted);
  });

  law("keeps the laws of all conversations (L1, L2, L4, L12)", agentWalks, (walk) => {
    let state = walk.start;
    const told: Parameters<typeof prompt>[1][number][] = [];
    for (const { before, event, result } of walk.steps) {
      expect(transition(before, event)).toEqual(result);
      if (result.kind === "refused") continue;
      const again = step(state, structuredClone(event));
      expect(canonical(again)).toBe(canonical(result));
      state = again.state;
      told.push(...result.append.map((entry) => ({ entry, words: wordsOf(walk, entry) })));
      const asks = result.effects.some(({ kind }) => kind === "think");
      if (asks) expect(pairingProblem(prompt("preface", told))).toBeNull();
    }
    for (const event of Object.values(events)) expect(transition(state, event).kind).toMatch(/step|refused/);
  });

  it("row 123: submit_result alone ends it; beside other calls it is answered as an error", () => {
    const alone = answered([submit]);
    expect(alone.state.phase).toMatchObject({ kind: "ended", how: "submitted", result: { call: submit.id } });
    expect(alone.effects).toEqual([]);
    const mixed = answered([submit, bash]);
    expect(resultOf(mixed.append, submit.id)).toMatchObject({ isError: true });
    expect(mixed.effects).toMatchObject([{ kind: "run", call: bash }]);
  });

  it("C20: submit_error ends it too, and says so", () => {
    const failed: Call = { ...submit, name: "submit_error", intent: "submit", success: false };
    expect(answered([failed]).state.phase).toMatchObject({ kind: "ended", how: "gaveUp" });
  });

  it("an answer of text alone is its result; an empty one is a failure", () => {
    const text = answered([], { stop: "end", text: 9 });
    expect(text.state.phase).toMatchObject({ kind: "ended", how: "answered", result: { message: "m-b" } });
    const empty = answered([], { stop: "end", text: 0 });
    expect(empty.state.phase).toMatchObject({ kind: "ended", how: "failed" });
  });

  it("row 27, row 52: it cannot ask for more, and cannot start others", () => {
    for (const call of [spawn, upgrade]) {
      const { append, effects } = answered([call]);
      expect(resultOf(append, call.id)).toMatchObject({ kind: "host", isError: true });
      expect(effects).toMatchObject([{ kind: "think" }]);
    }
  });

  it("row 51: without a sandbox it is Unrestricted, and a call that safe mode holds is refused", () => {
    const state = { ...thinking(freshAgent("unavailable")), phase: phases.running };
    expect(state.permission).toBe("unrestricted");
    const { append, effects } = step(state, events.blocked);
    expect(resultOf(append, bash.id)).toMatchObject({ kind: "host", isError: true });
    expect(effects).toMatchObject([{ kind: "run", call: patch }]);
  });

  describe("row 64: at nine tenths of the window, cache included, it fails whatever it says last", () => {
    const full = { ...usage, input: 100_000, output: 20_000, cacheRead: 50_000, cacheWrite: 10_000 };
    const exhausted = {
      kind: "ended",
      how: "context",
      why: "context exhausted before result submission",
    } as const;
    const gaveUp: Call = { ...submit, name: "submit_error", intent: "submit", success: false };

    it.each([
      ["a call", { calls: [bash] }],
      ["calls", { calls: [bash, patch, submit] }],
      ["submit_result", { calls: [submit] }],
      ["submit_error", { calls: [gaveUp] }],
      ["text", { calls: [], stop: "end" }],
      ["text that was cut", { calls: [], stop: "max_tokens" }],
      ["text that goes on", { calls: [], stop: "pause" }],
      ["a refusal", { calls: [], stop: "refusal" }],
      ["nothing", { calls: [], stop: "end", text: 0 }],
    ] as const)("%s", (_, said) => {
      const { state, append, effects } = answered(said.calls, { ...said, usage: full });
      expect(state.phase).toMatchObject(exhausted);
      expect(effects).toEqual([]);
      for (const call of said.calls) expect(resultOf(append, call.id)).toMatchObject({ isError: true });
      const below = answered(said.calls, { ...said, usage: { ...full, output: 19_999 } });
      expect(below.state.phase).not.toMatchObject(exhausted);
    });

    it("what it said last is told beside the failure", () => {
      const [handed, said, mute] = [
        answered([submit], { usage: full }),
        answered([bash], { usage: full }),
        answered([bash], { usage: full, text: 0 }),
      ];
      expect(handed.state.phase).toMatchObject({ result: { message: "m-b", call: submit.id } });
      expect(said.state.phase).toMatchObject({ result: { message: "m-b", call: null } });
      expect(mute.state.phase).toMatchObject({ result: null });
    });

    it("the provider's own word that the window is full counts at any size", () => {
      expect(answered([], { stop: "window" }).state.phase).toMatchObject(exhausted);
    });
  });

  it("has its tool rounds counted: at the limit one response is left, and its tools do not run", () => {
    const { restricted: limit } = AGENT_TURNS;
    const state = thinking(freshAgent());
    const worn = { ...state, turn: { ...state.turn, rounds: limit - 1 } };
    const last = step(worn, { ...events.answered, calls: [bash] });
    const asked = step(last.state, { ...events.ran, by: effectIn(last) });
    expect(asked.append.at(-1)).toMatchObject({ kind: "note", note: "turnLimit" });
    const over = step(asked.state, { ...events.answered, by: effectIn(asked), calls: [bash] });
    expect(over.state.phase).toMatchObject({ kind: "ended", how: "turns" });
    expect(over.effects).toEqual([]);
    const handed = step(asked.state, { ...events.answered, by: effectIn(asked), calls: [submit] });
    expect(handed.state.phase).toMatchObject({ how: "submitted" });
  });

  it("is told when its time is over: what runs is ended, and one response is left", () => {
    const running = { ...thinking(freshAgent()), phase: phases.running };
    const hurried = step(running, events.hurried);
    expect(hurried.effects).toMatchObject([{ kind: "kill", target: "e2" }, { kind: "think" }]);
    expect(hurried.append.at(-1)).toMatchObject({ kind: "note", note: "timeLimit" });
    const id = hurried.effects.flatMap((effect) => (effect.kind === "think" ? [effect.id] : []))[0] ?? "e0";
    const over = step(hurried.state, { ...events.answered, by: id, calls: [bash] });
    expect(over.state.phase).toMatchObject({ kind: "ended", how: "time" });
    expect(transition(inPhase(phases.running), events.hurried)).toEqual({ kind: "refused", why: "stale" });
  });

  it("tells its limits, a stop, a failure and a restart apart", () => {
    const state = thinking(freshAgent());
    const howAfter = (event: Event) => {
      const { phase } = step(state, event).state;
      return phase.kind === "ended" ? phase.how : phase.kind;
    };
    expect(howAfter(events.stopped)).toBe("stopped");
    expect(howAfter({ ...events.stopped, why: "time" })).toBe("time");
    expect(howAfter({ ...events.modelFailed, failure: { ...overloaded, kind: "auth" } })).toBe("failed");
    expect(howAfter(events.woken)).toBe("interrupted");
    expect(howAfter(events.drained)).toBe("interrupted");
  });
});

const agentsOf = ({ phase }: State): readonly Agent[] =>
  (phase.kind === "awaitingAgents" || phase.kind === "stopping" ? phase.agents : undefined) ?? [];

const open = (agents: readonly Agent[]): number => agents.filter(({ end }) => end === null).length;

const thinking = (state: State): State => ({
  ...state,
  seq: 10,
  turn: { ...inPhase(phases.thinking).turn },
  phase: phases.thinking,
});

const answered = (calls: readonly Call[], changes: Partial<Event & { kind: "answered" }> = {}): Step =>
  step(thinking(freshAgent()), { ...events.answered, calls, ...changes });

const effectIn = ({ effects }: Step) => {
  const [effect] = effects;
  if (effect === undefined || !("id" in effect)) throw new Error("nothing is awaited");
  return effect.id;
};

const wordsOf = (walk: Walk, entry: Entry) => {
  if (entry.kind === "said" || entry.kind === "answer") return walk.words.get(entry.message) ?? null;
  return entry.kind === "result" && entry.outcome.kind === "ran"
    ? (walk.words.get(entry.outcome.message) ?? null)
    : null;
};
