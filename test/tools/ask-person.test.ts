/** What calls ask people, what calls ask nobody and say why, and what the model is told of when to ask (D53). */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

const intent = (input: unknown) => world.tools.intent("ask_person", input);

describe("ask_person", () => {
  it("is a tool of conversations and of no sub-agent, and asks only what the model cannot find out", () => {
    const found = world.tools.specs.find(({ name }) => name === "ask_person");
    expect(found?.description).toMatch(/Ask only what you cannot find out yourself[^]*grants no permission/);
    expect(world.tools.agentSpecs.map(({ name }) => name)).not.toContain("ask_person");
  });

  it("asks with up to five choices, with none, or for consent to a plan", () => {
    const question = "Which database?";
    expect(intent({ question })).toEqual({ intent: "ask", choices: 0 });
    expect(intent({ question, choices: ["a", "b", "c", "d", "e"] })).toEqual({ intent: "ask", choices: 5 });
    expect(intent({ question, plan: true })).toEqual({ intent: "ask", choices: 1, plan: true });
    expect(intent({ question, plan: false, choices: ["a"] })).toEqual({ intent: "ask", choices: 1 });
  });

  it("asks nobody for what no card can show, and the result says what is wrong", async () => {
    const question = "Which database?";
    const wrong: readonly (readonly [unknown, string])[] = [
      [{}, "Invalid input: question"],
      [{ question: "  " }, "must ask something"],
      [{ question: "x".repeat(2_001) }, "at most 2000 characters"],
      [{ question, choices: ["a", "b", "c", "d", "e", "f"] }, "at most 5 choices"],
      [{ question, choices: ["x".repeat(61)] }, "at most 60 characters"],
      [{ question, choices: [" "] }, "must not be empty"],
      [{ question, choices: ["a", " a"] }, "must all differ"],
      [{ question, choices: ["a\nb"] }, "must be one line"],
      [{ question, plan: true, choices: ["a"] }, "must be left out with plan"],
      [{ question: "half \ud800" }, "surrogate"],
    ];
    for (const [input, why] of wrong) {
      expect(intent(input)).toEqual({ intent: "tool" });
      const { text, isError } = await world.call("ask_person", input, { permission: "restricted" });
      expect(isError).toBe(true);
      expect(text).toContain(why);
    }
  });
});
