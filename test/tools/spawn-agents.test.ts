/** What calls start sub-agents, what calls hand in a result, and what sub-agents are told of what they have not. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

const intent = (name: string, input: unknown) => world.tools.intent(name, input);

const run = (name: string, input: unknown, isSubAgent = true) =>
  world.call(name, input, { permission: "restricted", isSubAgent });

describe("spawn_agents", () => {
  it("row 23: starts one sub-agent a task, with another model where a known one is named", () => {
    const tasks = [{ task: "a" }, { task: "b", model: "claude-haiku-5" }];
    expect(intent("spawn_agents", { tasks })).toEqual({
      intent: "spawn",
      agents: [{}, { model: "claude-haiku-5" }],
    });
    expect(
      intent("spawn_agents", { tasks: Array.from({ length: 10 }, () => ({ task: "a" })) }),
    ).toMatchObject({
      intent: "spawn",
    });
  });

  it("starts nothing for more than ten tasks, none, an empty one or an unknown model, and says why", async () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ tasks: Array.from({ length: 11 }, () => ({ task: "a" })) }, "at most 10 tasks"],
      [{ tasks: [] }, "at least one task"],
      [{ tasks: [{ task: " " }] }, "must say what is to be done"],
      [{}, "Invalid input: tasks"],
      [{ tasks: [{ task: "a", model: "claude-nonesuch" }] }, "Unknown model: claude-nonesuch."],
    ];
    for (const [input, why] of wrong) {
      expect(intent("spawn_agents", input)).toEqual({ intent: "tool" });
      const { text, isError } = await run("spawn_agents", input, false);
      expect(isError).toBe(true);
      expect(text).toContain(why);
    }
  });
});

describe("sub-agents", () => {
  it("C20: hand in a result or an error; what is neither is answered with what is wrong", async () => {
    expect(intent("submit_result", { result: "x" })).toEqual({ intent: "submit", success: true });
    expect(intent("submit_result", { result: "x", success: false })).toEqual({
      intent: "submit",
      success: false,
    });
    expect(intent("submit_error", { error: "x" })).toEqual({ intent: "submit", success: false });
    expect(intent("submit_result", { result: "" })).toEqual({ intent: "tool" });
    expect((await run("submit_result", { result: "" })).text).toContain("Invalid input: result");
    expect((await run("submit_error", {})).text).toContain("Invalid input: error");
  });

  it("row 27: have no other tools; people's conversations do not submit", async () => {
    expect((await run("attach_file", { path: "a" })).text).toMatch(/^Unknown tool: attach_file\./);
    expect((await run("spawn_agents", {})).text).toMatch(/^Unknown tool: spawn_agents\./);
    expect((await run("submit_error", {}, false)).text).toMatch(/^Unknown tool: submit_error\./);
  });

  it("C15: are told what a refusal means to them", async () => {
    const patched = await run("patch", { path: "a.txt", patches: [] });
    expect(patched.text).toBe(
      "Patch tool is disabled in Restricted mode. Use request_mode_upgrade to request write access. (not available to sub-agents; report this with submit_result)",
    );
    expect((await run("bash", { command: "exit 3" })).text).toContain(
      "not available to sub-agents, report this with submit_result]",
    );
    expect((await run("bash", { command: "exit 3" }, false)).text).toContain("use request_mode_upgrade]");
  });
});
