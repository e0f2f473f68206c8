/** The tour: which words lead where, and what each station shows in the end. */

import { expect, test } from "vitest";
import { text, user } from "../../model/harness.ts";
import { finish, type Person, repository, respond, say, type Tool, toolsIn } from "./world.ts";
import { demo } from "../../../src/features/demo/feature.ts";
import { suggestedAfter, TOUR } from "../../../src/features/demo/tour.ts";
import { laterGrowthFault } from "../../linear/growth.ts";

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
  ["try a denied write", ["bash"]],
  ["draft a change", ["draft"]],
  ["Please rehearse a change!", ["draft"]],
  ["add a line to README", ["bash"]],
  ["can you please add the line 'x' to docs/a.md?", ["bash"]],
  ["where is a line added?", ["keyword_search"]],
  ["fix the typo", ["bash"]],
  ["refactor the parser", []],
  ["where is the retry policy implemented?", ["keyword_search"]],
  ["help me find the parser", ["keyword_search"]],
  ["where is the long answer made?", ["keyword_search"]],
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
    "create hello.txt",
    "add a line to README",
    "long answer",
    "slow command",
    "denied write",
  ]);
  expect(final).toContain("ANTHROPIC_API_KEY");
});

test("each answer names the next station of the tour, and so do the suggestions", async () => {
  const told: string[] = [];
  let said = "help";
  for (const _ of TOUR) {
    const [next = ""] = suggestedAfter(said);
    const { final } = await say(next, async () => ({ text: "done", isError: false }));
    const named = /^Next: `([^`]+)`$/m.exec(final)?.[1];
    expect(named, next).toBe(suggestedAfter(next)[0]);
    told.push(next);
    said = next;
  }
  expect(told).toEqual([...TOUR]);
  expect(suggestedAfter("")).toHaveLength(4);
  for (const station of TOUR) expect(station.length).toBeLessThanOrEqual(40);
  expect(suggestedAfter("Draft a change ")).toEqual(suggestedAfter("draft a change"));
  expect(demo.set({})).toMatchObject({ feature: { model: { next: suggestedAfter } } });
  expect((await say("help", await tools())).final).not.toContain("Next: ");
});

test("every last word says what is speaking", async () => {
  for (const said of ["hi", "long answer", "where is x?", "add a line to README", "denied write"]) {
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

test("a pasted picture is acknowledged", async () => {
  const image = { kind: "image", image: { hash: "h", mediaType: "image/png" } } as const;
  const { final } = await finish([user(text("what is this?"), image, image)], await tools());
  expect(final).toMatch(/^2 pictures came with your message/);
});

test("any one character, without end, is answered in time that grows with the text", async () => {
  for (const character of ["a", " ", "?", "@", "'", "/", "now "])
    expect(await laterGrowthFault((said) => respond([user(text(`${said}x`))]), character)).toBeNull();
});
