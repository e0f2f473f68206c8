import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { UNKNOWN } from "../../src/thread/call-text.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import { listTools } from "../../src/app/tools.ts";
import { defineTool, success, type Tool } from "../../src/tools/tool.ts";
import { LOOKS, ORIGINS } from "../looks.ts";
import { createWorld, type World } from "../tools/world.ts";

/** Tools that every host has, in their order. A further tool needs no entry here: its own test says that it is listed. */
const NAMES = [
  "bash",
  "patch",
  "think",
  "keyword_search",
  "read_image",
  "attach_file",
  "request_mode_upgrade",
  "agent_list_modes",
  "agent_change_mode",
  "spawn_agents",
  "draft",
  "propose",
];
/** Row 124, and C20. */
const AGENT_NAMES = ["bash", "patch", "think", "keyword_search", "submit_result", "submit_error"];

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

const namesIn = ({ tools }: World): readonly string[] => tools.specs.map(({ name }) => name);

const toolOf = (name: string, before?: string): Tool =>
  defineTool({
    name,
    ...omitUndefined({ before }),
    description: "A tool of a feature.",
    origin: "forge",
    look: UNKNOWN,
    judge: null,
    schema: z.object({}),
    tooLarge: "",
    run: () => Promise.resolve(success("done")),
  });

describe("the list of tools", () => {
  it("has those of a parent conversation", () => {
    const names = namesIn(world);
    expect(names.filter((name) => NAMES.includes(name))).toEqual(NAMES);
    expect(new Set(names).size).toBe(names.length);
  });

  it("41.5 has those of features before the tools that they name, or at the end", async () => {
    const added = [toolOf("last"), toolOf("one", "think"), toolOf("two", "think"), toolOf("lost", "nothing")];
    await using stack = new AsyncDisposableStack();
    const other = await createWorld({}, undefined, undefined, undefined, () => added);
    stack.defer(() => other.close());
    const names = namesIn(world);
    const at = names.indexOf("think");
    expect(namesIn(other)).toEqual([...names.slice(0, at), "one", "two", ...names.slice(at), "last", "lost"]);
    expect(await other.call("last", {})).toMatchObject({ text: "done" });
    expect(other.tools.agentSpecs.map(({ name }) => name)).toEqual(AGENT_NAMES);
  });

  it("row 124: sub-agents have those that read, and two to hand in a result", () => {
    expect(world.tools.agentSpecs.map((spec) => spec.name)).toEqual(AGENT_NAMES);
  });

  it("41.1 says of each whose text its results are", () => {
    const { origin } = world.tools;
    for (const name of [...NAMES, ...AGENT_NAMES])
      expect([name, origin(name)]).toEqual([name, ORIGINS.get(name)]);
    expect(origin("no such tool")).toBe("host");
  });

  it("41.1 says of each how its calls are told", () => {
    const { look } = world.tools;
    for (const name of [...NAMES, ...AGENT_NAMES])
      expect([name, look(name)]).toEqual([name, LOOKS.get(name)]);
    expect(look("no such tool")).toBe(UNKNOWN);
  });

  it("names neither the working directory nor the mode: it is the same for every conversation", async () => {
    const other = await createWorld({});
    expect(JSON.stringify(other.tools.specs)).toBe(JSON.stringify(world.tools.specs));
    expect(JSON.stringify(world.tools.specs)).not.toContain(world.cwd);
    await other.close();
  });

  it("has schemas of objects that say what is required", () => {
    const ajv = new Ajv2020();
    const required = world.tools.specs.map((spec) => {
      expect(spec.inputSchema).toMatchObject({ type: "object" });
      expect(ajv.validateSchema(spec.inputSchema)).toBe(true);
      return [spec.name, spec.inputSchema["required"]];
    });
    expect(Object.fromEntries(required)).toMatchObject({
      bash: ["command"],
      patch: ["path", "patches"],
      think: ["thoughts"],
      keyword_search: ["search_terms"],
      read_image: ["path"],
      attach_file: ["path"],
      request_mode_upgrade: ["reason"],
      agent_list_modes: undefined,
      agent_change_mode: ["mode", "branch", "reason"],
      spawn_agents: ["tasks"],
      draft: undefined,
      propose: ["title", "summary"],
    });
  });

  it("tells what Restricted means and where to ask", () => {
    const bash = world.tools.specs.find((spec) => spec.name === "bash")?.description ?? "";
    for (const said of [
      "new shell",
      "30 seconds",
      "15 minutes",
      "Restricted",
      "no network",
      "request_mode_upgrade",
    ]) {
      expect(bash).toContain(said);
    }
  });
});

const tool = (name: string, before?: string): Tool =>
  defineTool({
    name,
    description: "",
    origin: "host",
    look: UNKNOWN,
    judge: null,
    schema: z.object({}),
    tooLarge: "",
    run: () => Promise.reject(new Error("nobody runs it")),
    ...omitUndefined({ before }),
  });

it("tools of features are listed where they say, the others last and in order", () => {
  const own = [tool("a"), tool("b"), tool("c")];
  const others = [tool("last"), tool("one", "b"), tool("two", "b"), tool("lost", "gone"), tool("first", "a")];
  expect(listTools(own, others).map(({ spec }) => spec.name)).toEqual([
    "first",
    "a",
    "one",
    "two",
    "b",
    "c",
    "last",
    "lost",
  ]);
});

describe("calls", () => {
  it("of an unknown tool name the known ones", async () => {
    expect(await world.call("shell", { command: "ls" })).toMatchObject({
      text: `Unknown tool: shell. Available tools: ${namesIn(world).join(", ")}`,
      isError: true,
    });
  });

  it("of think are recorded", async () => {
    expect(await world.call("think", { thoughts: "x" }, { permission: "restricted" })).toMatchObject({
      text: "recorded",
      isError: false,
    });
  });

  it("with any input at all are answered, never thrown", async () => {
    const quiet = namesIn(world).filter((name) => name !== "bash");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...quiet, "__proto__", "toString", ""),
        fc.jsonValue(),
        async (name, input) => {
          const outcome = await world.call(name, input, { permission: "restricted" });
          expect(typeof outcome.text).toBe("string");
          expect(outcome.background).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a port that breaks its word", () => {
  it("is the call's error and a line in the log, not a rejection", async () => {
    const broken = await createWorld({}, (sandbox) => ({
      ...sandbox,
      run: () => Promise.reject(new RangeError("secret words")),
    }));
    expect(await broken.call("bash", { command: "true" })).toMatchObject({
      text: "bash broke inside Parley; what it had done so far is unknown.",
      isError: true,
    });
    expect(broken.errors).toEqual([
      ["tools: call failed", { conversation: "c-one", tool: "bash", error: "RangeError" }],
    ]);
    await broken.close();
  });
});

describe("a request to be allowed more", () => {
  it.each<[unknown, "upgrade" | "tool"]>([
    [{ reason: "to fix the retry" }, "upgrade"],
    [{ reason: "x".repeat(2000) }, "upgrade"],
    [{ reason: "x", extra: true }, "upgrade"],
    [{ reason: "x".repeat(2001) }, "tool"],
    [{ reason: "" }, "tool"],
    [{ reason: " \n" }, "tool"],
    [{ reason: 1 }, "tool"],
    [{}, "tool"],
    [null, "tool"],
    ["please", "tool"],
  ])("%j means %s", (input, intent) => {
    expect(world.tools.intent("request_mode_upgrade", input)).toEqual({ intent });
    expect(world.tools.intent("bash", input)).toEqual({ intent: "tool" });
  });

  it.each<[unknown, string]>([
    [{}, "Invalid input: reason: expected string, received undefined"],
    [{ reason: " " }, "Invalid input: reason: must say why write access is needed"],
    [{ reason: "x".repeat(2001) }, "Invalid input: reason: must have at most 2000 characters"],
  ])("that is not valid says why", async (input, text) => {
    expect(await world.call("request_mode_upgrade", input)).toMatchObject({ text, isError: true });
  });

  it("changes nothing when a tool is made to run it", async () => {
    expect(
      (await world.call("request_mode_upgrade", { reason: "x" }, { permission: "restricted" })).isError,
    ).toBe(true);
    expect((await world.call("bash", { command: "touch x" }, { permission: "restricted" })).isError).toBe(
      true,
    );
  });
});
