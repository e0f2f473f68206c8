/** In whose name a turn runs, and what of it only an approver's word can change (D1, D39). */

import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { view } from "../../src/thread/view.ts";
import { bash, events, inPhase, maintainer, phases, stranger } from "./samples.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

const failedTurnOf = (speaker: typeof maintainer): State => {
  const failed = inPhase(phases.failed);
  return { ...failed, permission: "unrestricted", turn: { ...failed.turn, speaker } };
};

describe("Try again", () => {
  it("by an approver runs a stranger's turn with the stranger's rights", () => {
    const { state } = step(failedTurnOf(stranger), events.retried);
    expect(state.turn.speaker).toEqual(stranger);
  });

  it("by a stranger lends an approver's turn no more than the stranger's rights", () => {
    const { state } = step(failedTurnOf(maintainer), { ...events.retried, speaker: stranger });
    expect(state.turn.speaker).toEqual({ ...maintainer, mayDrive: false, mayApprove: false });
  });

  it("by another approver keeps the turn's own speaker, so that the two-person rule still knows who asked", () => {
    const { state } = step(failedTurnOf(maintainer), {
      ...events.retried,
      speaker: { id: "slack:UALICE", mayDrive: true, mayApprove: true },
    });
    expect(state.turn.speaker).toEqual(maintainer);
  });
});

const offered = (state: State) =>
  view(state, []).posts.flatMap(({ body, actions }) =>
    body.kind === "notice" && body.notice.kind === "paused" ? [{ actions, over: body.notice.over }] : [],
  );

describe("the pause after three denials in a day", () => {
  const running: State = { ...inPhase(phases.running), permission: "unrestricted" };
  const paused = step({ ...running, denials: [1, 2, 3] }, { ...events.blocked, at: 1_000 });
  const idle: State = { ...paused.state, phase: { kind: "idle" } };

  it("is told once, with Ask again, however much is held back, and outlives the turn", () => {
    expect(paused.append.map(({ kind }) => kind)).toEqual(["notice", "result"]);
    const again = step({ ...paused.state, phase: phases.running }, { ...events.blocked, at: 1_001 });
    expect(again.append.map(({ kind }) => kind)).toEqual(["result"]);
    expect(offered(again.state)).toEqual([{ actions: ["ask_again"], over: undefined }]);
    expect(offered(idle)).toEqual([{ actions: ["ask_again"], over: undefined }]);
  });

  it.each([
    ["an approver's own next message", idle, events.said],
    ["a grant", idle, { ...events.granted, categories: ["GIT_PUBLISH"] }],
    ["Ask again", idle, events.askedAgain],
    ["Ask again while the agent works", paused.state, events.askedAgain],
  ] as const)("ends with %s: the next request is put before people", (_, state, event) => {
    const ended = step(state, { ...event, at: 2_000 }).state;
    expect(ended.denials).toEqual([]);
    expect(offered(ended)).toEqual([{ actions: [], over: true }]);
    const asked = step({ ...ended, phase: phases.running }, { ...events.blocked, at: 3_000 });
    expect(asked.state.phase).toMatchObject({
      kind: "awaitingApproval",
      question: { kind: "danger" },
      call: bash,
    });
  });

  it("ends with nothing that somebody does who may not approve", () => {
    const driver = { id: "slack:UBOB", mayDrive: true, mayApprove: false } as const;
    expect(step(idle, { ...events.said, speaker: driver }).state.denials).toEqual([1, 2, 3]);
    expect(transition(idle, { ...events.askedAgain, by: driver })).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
  });

  it("Ask again goes on in the sayer's name and tells the model that it may ask", () => {
    const ofStranger: State = { ...idle, turn: { ...idle.turn, speaker: stranger } };
    const { state, append, effects } = step(ofStranger, events.askedAgain);
    expect(state.turn.speaker).toEqual(stranger);
    expect(append).toMatchObject([{ kind: "note", note: "askAgain" }]);
    expect(effects).toMatchObject([{ kind: "think" }]);
  });
});
