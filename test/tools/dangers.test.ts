import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    "src/kept.ts": "kept\n",
    Makefile: "all:\n\techo built\ndeploy:\n\tgit push origin main\n",
    "package.json": JSON.stringify({ scripts: { build: "tsc -p .", release: "git push origin main" } }),
  });
  await world.write("notes/mine.txt", "not in git\n");
});
afterAll(() => world.close());

const categories = async (name: string, input: unknown) =>
  (await world.dangers(name, input)).map(({ category }) => category);
const bash = (command: string, more: object = {}) => categories("bash", { command, ...more });

describe("what safe mode asks for", () => {
  it.each([
    ["sudo ls", ["SUDO"]],
    ["npm install left-pad", ["DEPS_INSTALL_UPDATE"]],
    ["git push origin main", ["GIT_PUBLISH"]],
    ["ls && rg TODO && git status", []],
    ["echo 'sudo rm -rf /'", []],
  ])("%s", async (command, expected) => {
    expect(await bash(command)).toEqual(expected);
  });

  it("the network input is a category of its own", async () => {
    expect(await bash("make test", { network: true })).toEqual(["NETWORK_RISK"]);
  });

  it("D30: what git can give back may be overwritten, what it cannot is asked for", async () => {
    expect(await bash("echo x > src/kept.ts")).toEqual([]);
    expect(await bash("echo x > brand-new.ts")).toEqual([]);
    expect(await bash("echo x > notes/mine.txt")).toEqual(["FS_DELETE_OVERWRITE"]);
    const patches = [{ operation: "overwrite", newText: "x" }];
    expect(await categories("patch", { path: "notes/mine.txt", patches })).toEqual(["FS_DELETE_OVERWRITE"]);
    expect(await categories("patch", { path: "src/kept.ts", patches })).toEqual([]);
  });

  it("a script of the project is read for what it does", async () => {
    expect(await bash("npm run build")).toEqual([]);
    expect(await bash("npm run release")).toEqual(["GIT_PUBLISH"]);
    expect(await bash("make all")).toEqual([]);
    expect(await bash("make deploy")).toEqual(["GIT_PUBLISH"]);
  });

  it("row 117: what BASH-007 refuses is not asked for, whatever else it holds", async () => {
    expect(await bash("sudo rm -rf /")).toEqual([]);
    const { text } = await world.call("bash", { command: "sudo rm -rf /" }, { grants: ["SUDO"] });
    expect(text).toMatch(/^permission denied: this rm command/);
  });

  it("says what, why, the risk and what would change", async () => {
    expect(await world.dangers("bash", { command: "git push origin main" })).toMatchObject([
      {
        category: "GIT_PUBLISH",
        what: "git push origin main",
        why: expect.any(String),
        risk: expect.any(String),
      },
    ]);
  });
});

it("the checkout of the test is a git work tree", () => {
  expect(execFileSync("git", ["-C", world.work, "ls-files"], { encoding: "utf8" })).toContain("src/kept.ts");
});
