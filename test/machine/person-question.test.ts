import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import { originOf } from "../../src/machine/provenance.ts";
import { busyRefusal, refusalText } from "../../src/machine/refusal.ts";
import { isSettled, type State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Call, Speaker } from "../../src/machine/vocabulary.ts";
import {
  bash,
  events,
  freshAgent,
  inPhase,
  maintainer,
  patch,
  personAsked,
  phases,
  question,
  stranger,
} from "./samples.ts";

const bob: Speaker = { id: "slack:UBOB", name: "Bob", mayDrive: true, mayApprove: false };
const alice: Speaker = { id: "slack:UALICE", name: "Alice", mayDrive: true, mayApprove: true };
const auditor: Speaker = { id: "slack:UAUDIT", name: "Ada", mayDrive: false, mayApprove: true };

/** Bob asked; the thread is Unrestricted, so that a limit of rights shows. */
const asked: State = {
  ...inPhase(personAsked),
  permission: "unrestricted",
  turn: { ...inPhase(personAsked).turn, speaker: bob },
};

const choose = (by: Speaker, option: number): Event => ({ ...events.decided, choice: "choose", by, option });
const reply = (by: Speaker): Event => ({ ...events.decided, choice: "reply", by, comment: "m-c" });
const write = (speaker: Speaker): Event => ({ ...events.said, speaker, message: "m-w" });

const taken = (state: State, event: Event) => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

/** The state that asks `calls`, and the id of its question. */
const asking = (...calls: readonly Call[]) => {
  const { state } = taken(inPhase(phases.thinking), { ...events.answered, calls });
  if (state.phase.kind !== "awaitingApproval") throw new Error("nothing is asked");
  return { state, id: state.phase.question.id };
};

const textIn = (step: ReturnType<typeof taken>): string => {
  const [entry] = step.append;
  if (entry?.kind !== "result" || entry.outcome.kind !== "host") throw new Error("no result of the host");
  return entry.outcome.text;
};

describe("a question of the agent (D53)", () => {
  it("is asked by its call, waits without a timer and settles the thread", () => {
    const { state, effects } = taken(inPhase(phases.thinking), {
      ...events.answered,
      calls: [question, bash],
    });
    expect(state.phase).toMatchObject({
      kind: "awaitingApproval",
      question: { kind: "person", choices: 2, message: "m-b" },
      rest: [bash],
    });
    expect(effects).toEqual([]);
    expect(isSettled(state.phase)).toBe(true);
  });

  it("is asked one after the other, so that at most one is open", () => {
    const second = { ...question, id: "toolu_8", choices: 0 };
    const { state, id } = asking(question, second);
    expect(state.phase).toMatchObject({ call: question, rest: [second] });
    const answered = taken(state, {
      ...events.decided,
      question: id,
      choice: "choose",
      option: 1,
      by: maintainer,
    });
    expect(answered.state.phase).toMatchObject({ kind: "awaitingApproval", call: second });
  });

  it("is answered with a choice by the requester, and the agent reads who chose", () => {
    const step = taken(asked, choose(bob, 2));
    expect(textIn(step)).toBe('"Bob" (the person who asked) chooses answer 2:');
    const decision = { choice: "choose", by: bob.id, option: 2, comment: null };
    expect(step.append).toMatchObject([
      { kind: "result", call: question, origin: "host", outcome: { isError: false, decision } },
    ]);
    expect(step.effects).toMatchObject([{ kind: "run", call: patch, permission: "unrestricted" }]);
  });

  it("is answered in writing by an approver, with the provenance of the approver's words", () => {
    const step = taken(asked, reply(alice));
    expect(textIn(step)).toBe('"Alice" (an approver) answers in writing:');
    expect(step.append.map(originOf)).toEqual(["approver"]);
  });

  it("is answered by a message of the requester, whose quotes count as untrusted", () => {
    const quoted = { messages: 2, previews: 0, files: 0, pictures: 0 };
    const { state, append } = taken(asked, { ...events.said, speaker: bob, message: "m-w", quoted });
    expect(append).toMatchObject([
      { kind: "result", origin: "member", outcome: { decision: { choice: "reply", comment: "m-w" } } },
    ]);
    expect(state.untrusted).toMatchObject({ messages: 2 });
    expect(state.turn.no).toBe(asked.turn.no);
  });

  it("D54 files of a written answer are the requester's own, or untrusted content of another person", () => {
    const quoted = { messages: 0, previews: 0, files: 0, pictures: 0, own: 1 };
    const mine = taken(asked, { ...write(bob), quoted } as Event).state;
    expect(mine.ownFiles).toEqual({ by: bob.id, count: 1 });
    const other = taken(asked, { ...write(alice), quoted } as Event).state;
    expect(other.untrusted).toMatchObject({ files: 1 });
  });

  it("is answered by nobody else: neither a click nor a message, and the refusal says who can", () => {
    for (const event of [choose(stranger, 1), reply(stranger)])
      expect(transition(asked, event)).toEqual({ kind: "refused", why: "not_asked" });
    expect(transition(asked, write(stranger))).toEqual({ kind: "refused", why: "answer_awaited" });
    expect(refusalText("not_asked")).toMatch(/person who asked, or an approver/);
    expect(busyRefusal(asked.phase)).toBe("answer_awaited");
  });

  it("is not answered by the watch that began the turn; an approver answers", () => {
    const watch: Speaker = { id: "watch:w1", mayDrive: false, mayApprove: false };
    const begun: State = { ...asked, turn: { ...asked.turn, speaker: watch } };
    expect(transition(begun, write(watch))).toEqual({ kind: "refused", why: "answer_awaited" });
    expect(taken(begun, write(alice)).append.map(originOf).at(0)).toBe("approver");
  });

  it("is answered by a click alone while answers are reviewed, because the thread does not show it", () => {
    const reviewed: State = { ...asked, turn: { ...asked.turn, reviewed: "C1" } };
    expect(transition(reviewed, write(bob))).toEqual({ kind: "refused", why: "answer_awaited" });
    expect(taken(reviewed, choose(alice, 1)).append).toHaveLength(1);
  });

  it("is answered once", () => {
    const { state } = taken(asked, choose(bob, 1));
    expect(transition(state, choose(alice, 2))).toEqual({ kind: "refused", why: "already_decided" });
  });

  it("takes an offered choice or written words, and nothing else", () => {
    for (const option of [0, 3, 1.5])
      expect(transition(asked, choose(bob, option))).toEqual({ kind: "refused", why: "wrong_choice" });
    const { decided } = events;
    expect(transition(asked, { ...decided, choice: "choose" })).toMatchObject({ why: "wrong_choice" });
    expect(transition(asked, { ...decided, choice: "approve" })).toMatchObject({ why: "wrong_choice" });
    expect(transition(asked, { ...decided, choice: "reply" })).toMatchObject({ why: "no_words" });
  });

  it("limits the rest of the turn to the rights of the person who answers, before the next call runs", () => {
    const step = taken(asked, reply(auditor));
    expect(textIn(step)).toBe('"Ada" (an approver, without write permission) answers in writing:');
    expect(step.effects).toMatchObject([{ kind: "run", permission: "restricted" }]);
    expect(step.state.turn.speaker).toEqual({ ...bob, mayDrive: false });
    expect(taken(asked, reply(alice)).effects).toMatchObject([{ kind: "run", permission: "unrestricted" }]);
  });

  it("grants nothing: a stranger's turn stays Restricted although an approver answered", () => {
    const theirs: State = { ...asked, turn: { ...asked.turn, speaker: stranger } };
    const { state, effects } = taken(theirs, choose(alice, 1));
    expect(state.turn.speaker).toEqual(stranger);
    expect(effects).toMatchObject([{ kind: "run", permission: "restricted" }]);
  });

  it("is not answered without write permission where the kernel cannot hold Restricted", () => {
    const unheld: State = { ...asked, confinement: "unavailable" };
    expect(transition(unheld, reply(auditor))).toEqual({ kind: "refused", why: "not_confined" });
    expect(taken(unheld, reply(alice)).append).toHaveLength(1);
  });

  it("survives a restart and a downgrade", () => {
    const woken = taken(asked, events.woken);
    expect(woken.state.phase).toEqual(personAsked);
    expect(woken.effects).toEqual([]);
    expect(taken(asked, events.restricted).state.phase).toMatchObject({ question: { kind: "person" } });
  });

  it("is withdrawn by a stop, and its call has a result (L4)", () => {
    const step = taken(asked, { ...events.stopped, by: bob.id });
    expect(step.state.phase.kind).toBe("idle");
    expect(textIn(step)).toBe("Cancelled by user");
    expect(step.append).toMatchObject([
      { kind: "result", call: question, outcome: { isError: true } },
      { kind: "result", call: patch },
      { kind: "notice", notice: { kind: "stopped", by: bob.id } },
    ]);
  });

  it("is asked although people denied several requests today, because it asks for no permission", () => {
    const paused: State = { ...inPhase(phases.thinking), denials: [90, 91, 92] };
    const { state } = taken(paused, { ...events.answered, calls: [question] });
    expect(state.phase).toMatchObject({ question: { kind: "person" } });
  });

  it("takes consent to a plan, or words that change the plan", () => {
    const { state, id } = asking({
      id: "toolu_7",
      name: "ask_person",
      intent: "ask",
      choices: 1,
      plan: true,
    });
    const given = { ...events.decided, question: id, by: maintainer };
    expect(textIn(taken(state, { ...given, choice: "choose", option: 1 }))).toMatch(/accepts the plan/);
    expect(textIn(taken(state, { ...given, choice: "reply", comment: "m-c" }))).toMatch(/plan changed/);
  });

  it("BED-018 is not asked by a sub-agent, which goes on", () => {
    const agent: State = { ...freshAgent(), phase: phases.thinking, turn: { ...freshAgent().turn, no: 1 } };
    const { state, append } = taken(agent, { ...events.answered, calls: [question] });
    expect(append).toMatchObject([
      { kind: "answer" },
      { kind: "result", outcome: { isError: true, text: expect.stringMatching(/cannot ask people/) } },
    ]);
    expect(state.phase.kind).toBe("thinking");
  });
});
