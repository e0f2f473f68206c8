import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { SessionModes } from "../../src/ports/tools.ts";
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
    const errors: unknown[] = [];
    const log = { error: (...given: unknown[]) => void errors.push(given) };
    const asked: unknown[] = [];
    const manager = (answer: () => ReturnType<SessionModes["setSessionMode"]>): SessionModes => ({
      setSessionMode: (...given) => {
        asked.push(given);
        return answer();
      },
    });
    const done = manager(() => Promise.resolve({ kind: "done" }));
    const tool = createChangeModeTool({ modes: testModes, sessions: done, log });
    const confirmed = { by: "slack:U1", branch: false } as const;
    const call = (more: object = { confirmed }) =>
      ({ conversation: { id: "c-1", surface: "slack", server: "T1" }, ...more }) as unknown as ToolCall;
    beforeEach(() => {
      asked.length = 0;
      errors.length = 0;
    });

    it("row 84: is not made without a session manager or without a log", () => {
      expect(() => createChangeModeTool({ modes: testModes, sessions: null, log })).toThrow(TypeError);
      expect(() => createChangeModeTool({ modes: testModes, sessions: done, log: null })).toThrow(TypeError);
    });

    it("rows 94 and 95: happy path, once, with session, mode, reason, organisation and person", async () => {
      const { isError, text } = await tool.run(valid, call());
      expect(asked).toEqual([["c-1", "triage", "it is a bug", "slack:T1", "slack:U1"]]);
      expect(isError).toBe(false);
      expect(JSON.parse(text)).toEqual({ success: true, ...valid });
      const { text: anew } = await tool.run(valid, call({ confirmed: { ...confirmed, branch: true } }));
      expect(JSON.parse(anew)).toMatchObject({ branch: true });
    });

    it.each([
      ["mode", { branch: true, reason: "r" }],
      ["reason", { mode: "triage", branch: true }],
    ])("row 93: without a %s the manager is not asked", async (missing, input) => {
      expect(await tool.run(input, call())).toMatchObject({
        isError: true,
        text: expect.stringContaining(`'${missing}'`),
      });
      expect(asked).toEqual([]);
    });

    it("row 101: nor where nobody has confirmed", async () => {
      expect((await tool.run(valid, call({}))).isError).toBe(true);
      expect(asked).toEqual([]);
    });

    it.each([
      ["throws", () => Promise.reject(new Error("SQLITE_FULL: /var/lib"))],
      [
        "fails",
        () => Promise.resolve({ kind: "failed", code: "disk_full", message: "SQLITE_FULL" } as const),
      ],
      ["refuses", () => Promise.resolve({ kind: "refused", why: "unknown_mode" } as const)],
      ["knows no such session", () => Promise.resolve({ kind: "unknown" } as const)],
    ])("row 96: a manager that %s is logged, and the model is told the one sentence", async (_, answer) => {
      const broken = createChangeModeTool({ modes: testModes, sessions: manager(answer), log });
      expect(await broken.run(valid, call())).toMatchObject({
        isError: true,
        text: "ModeChangeTool failed to change the session mode.",
      });
      expect(asked).toHaveLength(1);
      expect(errors).toMatchObject([["session: work mode not changed", { conversation: "c-1" }]]);
    });

    it("a mode that holds already is a success", async () => {
      const holds = manager(() => Promise.resolve({ kind: "refused", why: "no_op" }));
      expect(
        (await createChangeModeTool({ modes: testModes, sessions: holds, log }).run(valid, call())).isError,
      ).toBe(false);
    });

    it("row 88: without a context it says so", async () => {
      expect(await tool.run(valid, null)).toMatchObject({
        isError: true,
        text: "ModeChangeTool requires a valid execution context.",
      });
    });

    it("row 89: without a session it says so and logs it", async () => {
      const nowhere = { conversation: { id: "" }, confirmed } as unknown as ToolCall;
      const text = "ModeChangeTool cannot change mode because the session id is missing.";
      expect(await tool.run(valid, nowhere)).toMatchObject({ isError: true, text });
      expect(errors).toEqual([[text]]);
    });
  });

  it("row 102: its description carries the source's sentence and the three options, asks for sparing use, and explains each argument", () => {
    const spec = world.tools.specs.find(({ name }) => name === "agent_change_mode");
    for (const said of [
      "Changes the mode for the current agent session to the specified mode string. Call only after the user confirms a mode change, and provide a short 'reason' describing why this mode fits the current request. Set branch=true when the user wants the new work to start as a separate session.",
      "(1) stay",
      "(2) switch",
      "(3) switch and start a new session",
      "sparingly",
    ])
      expect(spec?.description).toContain(said);
    expect(spec?.inputSchema).toMatchObject({
      properties: {
        mode: { description: expect.stringContaining("mode to change to") },
        branch: { description: expect.stringMatching(/false: .*this session\. true: .*new session/) },
        reason: { description: expect.stringContaining("why this mode fits") },
      },
    });
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
