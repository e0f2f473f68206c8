/** A change: look, ask, patch; and nothing after a denial. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, say, toolsIn } from "./world.ts";

const FILES = {
  "README.md": "# Thing\n\nWe Recieve mail, and recieve it twice.\n",
  "src/app.ts": "export const retries = 3;\nexport const name = retries;\n",
  "docs/its.md": "one\n",
};

const names = (told: { rounds: readonly (readonly { name: string }[])[] }): readonly (readonly string[])[] =>
  told.rounds.map((round) => round.map((call) => call.name));

test.for<readonly [string, string, string]>([
  ["add a line to README", "README.md", "twice.\n\nParley's demo model"],
  ['please add the line "hello $(id) \'x" to docs/its.md', "docs/its.md", "one\n\nhello $(id) 'x\n"],
  ["add the line 'don't panic' to its!", "docs/its.md", "don't panic\n"],
  ["append the line ‘good’ to the README.md.", "README.md", "twice.\n\ngood\n"],
])("%j, approved, changes %s", async ([said, path, content]) => {
  const cwd = await repository(FILES);
  const told = await say(said, toolsIn(cwd, "approves"));
  expect(names(told)).toEqual([["bash"], ["request_mode_upgrade"], ["patch"]]);
  expect(readFileSync(join(cwd, path), "utf8")).toContain(content);
  expect(told.final).toContain(`I added one line at the end of \`${path}\``);
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
  const second = await say("add a line to its", tools, first.messages);
  expect(names(second)).toEqual([["bash"], ["patch"]]);
});

test("where the kernel cannot hold Restricted, the host's answer to the request is enough to go on", async () => {
  const tools = toolsIn(await repository(FILES), "approves");
  await tools("request_mode_upgrade", {});
  const told = await say("add a line to README", tools);
  expect(names(told)).toEqual([["bash"], ["request_mode_upgrade"], ["patch"]]);
  expect(told.final).toContain("I added one line");
});

test("where no such file is, nothing is asked for", async () => {
  const told = await say("add a line to no/such", toolsIn(await repository(FILES), "approves"));
  expect(names(told)).toEqual([["bash"]]);
  expect(told.final).toContain("I found no file");
});

test("a patch that is refused is told as it is", async () => {
  const real = toolsIn(await repository(FILES), "approves");
  const told = await say("add a line to README", async (name, input) =>
    name === "patch" ? { text: "it is a link", isError: true } : real(name, input),
  );
  expect(told.final).toContain("The patch was refused and `README.md` is as it was: `it is a link`");
});

test("a look that was interrupted changes nothing", async () => {
  const told = await say("add a line to README", async () => ({
    text: "[Tool execution interrupted by server restart]",
    isError: true,
  }));
  expect(names(told)).toEqual([["bash"]]);
  expect(told.final).toContain("interrupted by server restart");
});
