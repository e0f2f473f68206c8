/** Several repositories: people allow one to be written at a time, by its name, and another one takes another word. */

import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import { mayWrite, type State } from "../../src/machine/state.ts";
import { stateSchema as stored } from "../../src/store/schema/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Call } from "../../src/machine/vocabulary.ts";
import { askText } from "../../src/thread/wording.ts";
import { events, inPhase, maintainer, phases, stranger } from "./samples.ts";
import { english } from "../../src/i18n/say.ts";

const upgradeOf = (on: string): Call => ({
  id: "toolu_9",
  name: "request_mode_upgrade",
  intent: "upgrade",
  on,
});

const step = (state: State, event: Event) => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

/** The model asks for `on`. */
const asking = (state: State, on: string): State =>
  step(
    { ...state, phase: phases.thinking },
    { ...events.answered, by: "e1", stop: "tools", calls: [upgradeOf(on)] },
  ).state;

const decide = (state: State, choice: "approve" | "deny", by = maintainer) => {
  if (state.phase.kind !== "awaitingApproval") throw new Error(`it is ${state.phase.kind}`);
  return step(state, { ...events.decided, question: state.phase.question.id, choice, by });
};

const idle = inPhase(phases.thinking);
const code = (text: string): string => `<${text}>`;

describe("the one of several repositories that may be written", () => {
  it("is the one that the question names, once it is approved and not when it is denied", () => {
    const asked = asking(idle, "api");
    expect(asked.phase).toMatchObject({ kind: "awaitingApproval", question: { kind: "upgrade", on: "api" } });
    expect(askText({ kind: "upgrade", on: "api" }, { code, say: english })).toBe(
      "Write access to <api> for this thread?",
    );
    const { state, append } = decide(asked, "approve");
    expect(state).toMatchObject({ permission: "unrestricted", writes: "api" });
    expect(append[0]).toMatchObject({ notice: { kind: "permission", to: "unrestricted", on: "api" } });
    expect(append[1]).toMatchObject({ outcome: { text: expect.stringContaining("Only api/") as string } });
    expect(decide(asked, "deny").state).toMatchObject({ permission: "restricted" });
    expect(decide(asked, "deny").state.writes).toBeUndefined();
  });

  it("is not another one: that is asked for again, and what still runs in the first is ended with the approval", () => {
    const first = { ...decide(asking(idle, "api"), "approve").state, background: true };
    expect(mayWrite(first, { on: "api" })).toBe(true);
    expect(mayWrite(first, { on: "web" })).toBe(false);
    expect(asking(first, "api").phase.kind).toBe("thinking");
    const asked = asking(first, "web");
    expect(asked.phase).toMatchObject({ kind: "awaitingApproval", question: { on: "web" } });
    const { state, effects } = decide(asked, "approve");
    expect(state).toMatchObject({ permission: "unrestricted", writes: "web", background: false });
    expect(effects[0]).toEqual({ kind: "killBackground" });
    expect(decide(asked, "deny").state).toMatchObject({
      permission: "unrestricted",
      writes: "api",
      background: true,
    });
  });

  it("whoever may not approve decides nothing", () => {
    const asked = asking(idle, "api");
    if (asked.phase.kind !== "awaitingApproval") throw new Error("nothing is asked");
    const { id: question } = asked.phase.question;
    const by = { ...events.decided, question, choice: "approve", by: stranger } as const;
    expect(transition(asked, by)).toMatchObject({ kind: "refused" });
  });

  it("survives the process: what is stored reads back the same, asked and approved", () => {
    for (const state of [asking(idle, "api"), decide(asking(idle, "api"), "approve").state])
      expect(stored.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it("by command is the one that is written already, and the question says which", () => {
    const asked = step(inPhase(phases.idle), { ...events.upgradeAsked, on: "web" }).state;
    expect(asked.phase).toMatchObject({ question: { on: "web", from: { how: "command" } } });
    expect(decide(asked, "approve").state).toMatchObject({ writes: "web", phase: { kind: "idle" } });
  });
});
