/** The tour: which words lead where, and what each station shows in the end. */

import { expect, test } from "vitest";
import { text, user } from "../harness.ts";
import { finish, type Person, repository, respond, say, type Tool, toolsIn } from "./world.ts";

const tools = async (person: Person = "denies"): Promise<Tool> =>
  toolsIn(await repository({ "README.md": "# Thing\n" }), person);

test.for<readonly [string, readonly string[]]>([
  ["help", []],
  ["Hello!", []],
  ["hi, parley!", []],
  ["@parley help", []],
  ["what can you do?", []],
  ["???", []],
  ["👍", []],
  ["long answer", []],
  ["please give me a long answer", []],
  ["slow command", ["bash"]],
  ["Run a slow command, please", ["bash"]],
  ["failing command", ["bash"]],
  ["try a denied write", ["bash"]],
  ["picture", ["bash"]],
  ["show me a picture", ["bash"]],
  ["draft a change", ["draft"]],
  ["Please rehearse a change!", ["draft"]],
  ["add a line to README", ["bash"]],
  ["can you please change something?", ["bash"]],
  ["fix the typo", ["keyword_search", "bash"]],
  ["where is the retry policy implemented?", ["keyword_search", "bash"]],
  ["help me find the parser", ["keyword_search", "bash"]],
  ["where is the long answer made?", ["keyword_search", "bash"]],
  ["what is this project?", ["bash"]],
])("%j begins with %o", async ([said, names]) => {
  const { blocks } = await respond([user(text(said))]);
  expect(blocks.flatMap((block) => (block.kind === "toolUse" ? [block.name] : []))).toEqual(names);
});

test("help lists every station, and every station that it lists is one", async () => {
  const { final } = await say("help", await tools());
  const listed = [...final.matchAll(/^\| `([^`]+)` \|/gm)].map(([, said]) => said ?? "");
  expect(listed).toEqual([
    "where is the retry policy implemented?",
    "draft a change",
    "add a line to README",
    'change "X" to "Y" in FILE',
    "long answer",
    "slow command",
    "failing command",
    "denied write",
    "picture",
  ]);
  expect(final).toContain("ANTHROPIC_API_KEY");
});

test("every last word says what is speaking", async () => {
  for (const said of [
    "hi",
    "long answer",
    "picture",
    "where is x?",
    "add a line to README",
    "failing command",
  ]) {
    expect((await say(said, await tools())).final, said).toMatch(
      /Demo model: scripted, no AI.*ANTHROPIC_API_KEY/,
    );
  }
});

test("a change is drafted, tested there and proposed, and what comes of it is told", async () => {
  const cwd = await repository({ "README.md": "# Thing\n" });
  const real = toolsIn(cwd);
  const told = await say("draft a change", async (name, input) =>
    name === "draft" || name === "propose" ? { text: `${name} worked`, isError: false } : real(name, input),
  );
  const [draft, change, propose] = told.rounds.flat();
  expect([draft?.name, change?.input["where"], propose?.name]).toEqual(["draft", "draft", "propose"]);
  expect(await real("bash", { command: String(propose?.input["test_command"]) })).toMatchObject({
    isError: false,
  });
  expect(told.final).toMatch(/`propose worked`[^]*Restricted mode still/);
  const none = await say("draft a change", () => Promise.resolve({ text: "No draft here.", isError: true }));
  expect([none.rounds.length, none.final]).toEqual([
    1,
    expect.stringMatching(/^I stop here: `No draft here.`/),
  ]);
});

test("the long answer has 40 KB and more, with lists, tables and closed fences", async () => {
  const { final } = await say("long answer", await tools());
  expect(Buffer.byteLength(final)).toBeGreaterThan(40_960);
  expect(final).toMatch(/^\| Part \|/m);
  expect(final).toMatch(/^ {2}- /m);
  expect((final.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test("a failing command is shown with its status", async () => {
  const { final, rounds } = await say("failing command", await tools());
  expect(rounds).toHaveLength(1);
  expect(final).toContain("[command failed: exit code 3]\nthis is standard output\nthis is standard error");
});

test("a denied write quotes the kernel; where it is allowed, nothing stays behind", async () => {
  const denied = await say("denied write", async () => ({
    text: "touch: cannot touch: Read-only file system",
    isError: true,
  }));
  expect(denied.final).toMatch(/kernel refused:\n\n```\ntouch: cannot touch: Read-only file system/);
  const cwd = await repository({});
  const allowed = await say("denied write", toolsIn(cwd));
  expect(allowed.final).toContain("It worked");
  expect((await toolsIn(cwd)("bash", { command: "ls" })).text).toBe("");
});

test("a picture is looked for, opened and not made up", async () => {
  const cwd = await repository({ "docs/a.png": new Uint8Array([1]) });
  const opened: unknown[] = [];
  const { final } = await say("picture", async (name, input) => {
    if (name !== "read_image") return toolsIn(cwd)(name, input);
    opened.push(input);
    return { text: "docs/a.png", isError: false };
  });
  expect(opened).toEqual([{ path: "docs/a.png" }]);
  expect(final).toContain("no eyes");
  expect((await say("picture", await tools())).final).toContain("no picture");
});

test("a pasted picture is acknowledged", async () => {
  const image = { kind: "image", image: { hash: "h", mediaType: "image/png" } } as const;
  const { final } = await finish([user(text("what is this?"), image, image)], await tools());
  expect(final).toMatch(/^2 pictures came with your message/);
});

test("a megabyte of any one character is answered at once", async () => {
  for (const character of ["a", " ", "?", "@", "'", "/", "now "]) {
    const began = performance.now();
    await respond([user(text(`${character.repeat(1_000_000 / character.length)}x`))]);
    expect(performance.now() - began, JSON.stringify(character)).toBeLessThan(2000);
  }
});
