import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createChangeModeTool } from "../../src/tools/change-mode.ts";
import type { ToolCall } from "../../src/tools/tool.ts";
import { testModes } from "../runtime/modes.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

const change = (input: unknown) => world.call("agent_change_mode", input);
const valid = { mode: "triage", branch: false, reason: "it is a bug" };

describe("agent_change_mode (TUL-007)", () => {
  it.each([
    ["row 87", {}, "ModeChangeTool requires a non-empty arguments object."],
    ["row 87", null, "ModeChangeTool requires a non-empty arguments object."],
    ["row 90", { ...valid, mode: " " }, "ModeChangeTool requires a non-empty 'mode' string."],
    ["row 90", { branch: true, reason: "r" }, "ModeChangeTool requires a non-empty 'mode' string."],
    ["row 91", { mode: "triage", reason: "r" }, "ModeChangeTool requires a 'branch' boolean flag."],
    ["row 91", { ...valid, branch: "false" }, "ModeChangeTool requires a 'branch' boolean flag."],
    [
      "row 92",
      { ...valid, reason: "" },
      "ModeChangeTool requires a non-empty 'reason' string explaining why the mode change is needed.",
    ],
    ["row 96, C31", { ...valid, mode: "nope" }, "ModeChangeTool failed to change the session mode."],
    ["C25", { ...valid, mode: "unrestricted" }, "ModeChangeTool failed to change the session mode."],
  ])("%s: %j is refused in its words, and nobody is asked (row 93)", async (_, input, text) => {
    expect(await change(input)).toMatchObject({ text, isError: true });
    expect(world.tools.intent("agent_change_mode", input)).toEqual({ intent: "tool" });
  });

  it("row 86, 97: a valid call is a question; what it says of session, organisation or user is not taken", () => {
    const forged = { ...valid, branch: true, sessionId: "c-9", org: "o", user: "u" };
    expect(world.tools.intent("agent_change_mode", forged)).toEqual({
      intent: "mode",
      mode: "triage",
      branch: true,
    });
  });

  it("rows 82, 83, 85: is in the one list that every conversation has in every mode, and needs all three arguments", () => {
    const spec = world.tools.specs.find(({ name }) => name === "agent_change_mode");
    expect(spec?.inputSchema).toMatchObject({
      required: ["mode", "branch", "reason"],
      properties: { mode: { type: "string" }, branch: { type: "boolean" }, reason: { type: "string" } },
    });
  });

  describe("row 103: the unit tests that TUL-007 asks for", () => {
    const errors: string[] = [];
    const log = { error: (message: string) => void errors.push(message) };
    const tool = createChangeModeTool({ modes: testModes, log });

    it("row 84: is not made without the catalogue or without a log", () => {
      expect(() => createChangeModeTool({ modes: null, log })).toThrow(TypeError);
      expect(() => createChangeModeTool({ modes: testModes, log: null })).toThrow(TypeError);
    });

    it("row 88: without a context it says so", async () => {
      expect(await tool.run(valid, null)).toMatchObject({
        isError: true,
        text: "ModeChangeTool requires a valid execution context.",
      });
    });

    it("row 89: without a session it says so and logs it", async () => {
      const call = { conversation: { id: "" } } as unknown as ToolCall;
      const text = "ModeChangeTool cannot change mode because the session id is missing.";
      expect(await tool.run(valid, call)).toMatchObject({ isError: true, text });
      expect(errors).toEqual([text]);
    });
  });

  it("row 102: its description carries the three options", () => {
    const spec = world.tools.specs.find(({ name }) => name === "agent_change_mode");
    for (const said of [
      "only after the user",
      "(1) stay",
      "(2) switch",
      "(3) switch and start a new session",
    ])
      expect(spec?.description.toLowerCase()).toContain(
        said.replace("only after the user", "call only after the user"),
      );
  });
});

it("agent_list_modes lists keys, when each fits, and the one default (TUL-010)", async () => {
  const { text } = await world.call(
    "agent_list_modes",
    { includeExamples: true },
    { permission: "restricted" },
  );
  const { modes } = z
    .object({ modes: z.array(z.looseObject({ id: z.string(), key: z.string(), isDefault: z.boolean() })) })
    .parse(JSON.parse(text));
  expect(modes.map(({ key, isDefault }) => [key, isDefault])).toEqual([
    ["general", true],
    ["triage", false],
  ]);
  for (const { id } of modes) expect(id).toMatch(/^[0-9A-F]{32}$/);
});
