/** A change: look, ask, patch, show; and nothing after a denial. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editOf } from "../../../src/model/demo/edit.ts";
import { repository, say, toolsIn } from "./world.ts";

const FILES = {
  "README.md": "# Thing\n\nWe Recieve mail, and recieve it twice.\n",
  "src/app.ts": "export const retries = 3;\nexport const name = retries;\n",
  "docs/its.md": "one\n",
};

const names = (told: { rounds: readonly (readonly { name: string }[])[] }): readonly (readonly string[])[] =>
  told.rounds.map((round) => round.map((call) => call.name));

test.for<readonly [string, string, string, string]>([
  [
    "add a line to README",
    "README.md",
    "twice.\n\nParley's demo model",
    "+Parley's demo model added this line",
  ],
  ["change something", "README.md", "Parley's demo model", "+Parley's demo model"],
  [
    'please add "hello $(id) \'x" to docs/its.md',
    "docs/its.md",
    "one\n\nhello $(id) 'x\n",
    "+hello $(id) 'x",
  ],
  ["add the line 'hello world' to README", "README.md", "twice.\n\nhello world\n", "+hello world"],
  [
    "add the line 'don't panic, it's fine' to docs/its.md",
    "docs/its.md",
    "don't panic, it's fine\n",
    "+don't",
  ],
  ["append ‘good’ to README.md", "README.md", "twice.\n\ngood\n", "+good"],
  ["add the line hello world to the README", "README.md", "twice.\n\nhello world\n", "+hello world"],
  ["Add a line saying good day to the readme", "README.md", "twice.\n\ngood day\n", "+good day"],
  [
    'change "retries = 3" to "retries = $& 5" in src/app.ts',
    "src/app.ts",
    "retries = $& 5;\nexport const name",
    "-export const retries = 3;",
  ],
  [
    "change name to title in app.ts",
    "src/app.ts",
    "export const title = retries;",
    "+export const title = retries;",
  ],
  ['add "x = 1" to new/settings.py', "new/settings.py", "\nx = 1\n", "+x = 1"],
])("%j, approved, changes %s and shows the diff", async ([said, path, content, line]) => {
  const cwd = await repository({ ...FILES, "new/keep": "" });
  const told = await say(said, toolsIn(cwd, "approves"));
  expect(names(told)).toEqual([["bash"], ["request_mode_upgrade"], ["patch", "bash"]]);
  expect(readFileSync(join(cwd, path), "utf8")).toContain(content);
  expect(told.final).toMatch(/```diff\n/);
  expect(told.final).toContain(line);
  expect(told.rounds[1]?.[0]?.input["reason"]).toContain(path);
});

test("a denial is told and ends it", async () => {
  const cwd = await repository(FILES);
  const told = await say("add a line to README", toolsIn(cwd, "denies"));
  expect(names(told)).toEqual([["bash"], ["request_mode_upgrade"]]);
  expect(told.final).toMatch(/I stop here and change nothing.*Denied by user/);
  expect(readFileSync(join(cwd, "README.md"), "utf8")).toBe(FILES["README.md"]);
});

test("in a conversation that is Unrestricted already nobody is asked again", async () => {
  const tools = toolsIn(await repository(FILES), "approves");
  const first = await say("add a line to README", tools);
  const second = await say("change name to title in app.ts", tools, first.messages);
  expect(names(second)).toEqual([["bash"], ["patch", "bash"]]);
});

test("where the kernel cannot hold Restricted, the host's answer to the request is enough to go on", async () => {
  const tools = toolsIn(await repository(FILES), "approves");
  await tools("request_mode_upgrade", {});
  const told = await say("add a line to README", tools);
  expect(names(told)).toEqual([["bash"], ["request_mode_upgrade"], ["patch", "bash"]]);
  expect(told.final).toContain("```diff");
});

test.for([
  ["change foo to bar in README.md", "`foo` does not stand in `README.md`"],
  ['change "no such" to "x"', "`no such` does not stand in this repository"],
] as const)("%j asks for nothing: %s", async ([said, why]) => {
  const told = await say(said, toolsIn(await repository(FILES), "approves"));
  expect(names(told)).toEqual([["bash"]]);
  expect(told.final).toContain(why);
});

test("a patch that is refused is told as it is", async () => {
  const cwd = await repository({ "a.txt": "same\nsame\n" });
  const told = await say("change same to other in a.txt", toolsIn(cwd, "approves"));
  expect(told.final).toMatch(/The patch was refused and `a\.txt` is as it was: `oldText appears 2 times/);
});

test("a look that was interrupted changes nothing", async () => {
  const told = await say("add a line to README", async () => ({
    text: "[Tool execution interrupted by server restart]",
    isError: true,
  }));
  expect(names(told)).toEqual([["bash"]]);
  expect(told.final).toContain("interrupted by server restart");
});

test.for([
  "how do I change the port?",
  "where do we add users?",
  "what changed?",
  "explain the update loop",
  "address book",
])("%j is a question", (said) => {
  expect(editOf(said)).toBeNull();
});
