/** A person in a terminal: what is displayed, what is hidden, and how the run ends early. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startInPty } from "../../../e2e/pty.ts";
import { sampleRepo } from "../../../sample-repo.ts";
import { setupFolder } from "./folder.ts";

const MODEL = /Model \(.*: /;
const REPOS = /Repositories \(.*: /;
const REVIEW = /q to quit.*: /;

const start = (name: string, ...args: readonly string[]) => {
  const folder = setupFolder(name);
  return { folder, session: startInPty(folder.command(...args), { cwd: folder.path, env: folder.env }) };
};

describe("parley setup in a terminal", () => {
  it("asks for the console, a model and a repository, and writes after the review", async () => {
    const repo = await sampleRepo("# Sample\n");
    const { folder, session } = start("setup");
    await session.until(/Where do people ask Parley\?.*: /);
    session.type("console");
    await session.until(MODEL);
    session.type("demo");
    await session.until(REPOS);
    session.type(repo);
    const reviewed = await session.until(REVIEW);
    expect(folder.settings()).toBeNull();
    expect(reviewed).toContain(`+ PARLEY_REPOS=${repo}`);
    session.type("");
    expect(await session.ended).toBe(0);
    expect(session.inputs()).toBe(4);
    expect(folder.settings()).toBe(
      `# Written by parley setup\nPARLEY_MODEL=demo\nPARLEY_REPOS=${repo}\nPARLEY_REPO=${repo}\nPARLEY_APPROVERS=console:operator\n`,
    );
    expect(folder.mode()).toBe("600");
    expect(session.screen()).toMatch(/ok {6}repository: /);
    expect(session.screen().trimEnd()).toMatch(/Open the link and ask: .*\?$/);
  });

  it("asks again after a refused answer, and drops what was pasted behind it", async () => {
    const repo = await sampleRepo("# Sample\n");
    const { session } = start("setup", "console", "--model", "demo");
    await session.until(REPOS);
    session.type("/does/not/exist\rnone");
    await session.until(/does not exist\./);
    await session.until(REPOS);
    session.type(repo);
    await session.until(REVIEW);
    session.type("q");
    expect(await session.ended).toBe(1);
    expect(session.screen()).toContain("Nothing was written");
  });

  it("never displays a key that is pasted, also where a name is asked", async () => {
    const { folder, session } = start("setup", "console");
    await session.until(MODEL);
    const key = `sk-ant-${"k3y".repeat(12)}`;
    session.press(key);
    await session.until(/•{40}/);
    session.press("\u0003");
    expect(await session.ended).toBe(130);
    expect(session.screen()).not.toContain("k3yk3y");
    expect(folder.made()).toEqual([]);
  });

  it("changes the approvers in the review, and refuses a wrong form", async () => {
    const { folder, session } = start("setup", "console", "--model", "demo", "--repos", "none");
    await session.until(REVIEW);
    session.type("a bob");
    await session.until(/must be ids such as/);
    await session.until(REVIEW);
    session.type("a console:operator, slack:U123");
    await session.until(/Who may approve: console:operator,slack:U123/);
    await session.until(REVIEW);
    session.type("");
    await session.ended;
    expect(folder.settings()).toContain("PARLEY_APPROVERS=console:operator,slack:U123\n");
  });

  it.each([
    ["Ctrl-C", "\u0003", MODEL, []],
    ["Ctrl-D", "\u0004", MODEL, []],
    ["Ctrl-C", "\u0003", REPOS, ["--model", "demo"]],
    ["Ctrl-C", "\u0003", REVIEW, ["--model", "demo", "--repos", "none"]],
  ])("%s ends it at each prompt and leaves the folder as it was", async (_, keys, prompt, args) => {
    const { folder, session } = start("setup", "console", ...args);
    writeFileSync(join(folder.path, ".env"), "# mine\n");
    await session.until(prompt);
    session.press(keys);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toContain("Nothing was written; run setup again to go on.");
    expect(folder.made()).toEqual([".env"]);
    expect(folder.settings()).toBe("# mine\n");
  });
});
