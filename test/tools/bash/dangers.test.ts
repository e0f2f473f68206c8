import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    "src/kept.ts": "kept\n",
    "src/own.py": "import subprocess\n",
    ".gitignore": "ignored\n",
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

  it("what an earlier call wrote and this one runs is judged by its text", async () => {
    const run = async (file: string, text: string, command: string) => {
      await world.write(file, text);
      return bash(command);
    };
    expect(await run("new.sh", "ls\n", "sh new.sh")).toEqual([]);
    expect(await run("push.sh", "git push origin main\n", "bash push.sh")).toEqual(["GIT_PUBLISH"]);
    expect(await run("outer.sh", "sh push.sh\n", "bash outer.sh")).toEqual(["GIT_PUBLISH"]);
    expect(await run("new.py", "print(1)\n", "python3 new.py")).toEqual([]);
    expect(await run("deed.py", "import subprocess\nsubprocess.run(['ls'])\n", "python3 deed.py")).toEqual([
      "EXEC_ARBITRARY",
    ]);
    expect(await run("tool", "\u007fELF\0\0", "chmod +x tool && ./tool")).toEqual(["EXEC_ARBITRARY"]);
    // What git has is the project's own; of what was changed in it the new lines count.
    const own = "import subprocess\n";
    expect(await bash("python3 src/own.py")).toEqual([]);
    expect(await run("src/own.py", `${own}print(1)\n`, "python3 src/own.py")).toEqual([]);
    expect(await run("src/own.py", `${own}import pty\n`, "python3 src/own.py")).toEqual(["EXEC_ARBITRARY"]);
    expect(await run("ignored/tool", "\u007fELF\0\0", "./ignored/tool")).toEqual([]);
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

describe("the look at the checkout", () => {
  it("row 14: ends when the call is stopped, and what it runs with it", async () => {
    const looking = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    const slow = await createWorld({}, (sandbox) => ({
      ...sandbox,
      run: async (request, hooks) => {
        const going = sandbox.run({ ...request, argv: ["/bin/sleep", "60"] }, hooks);
        looking.resolve();
        const result = await going;
        ended.resolve(result.kind);
        return result;
      },
    }));
    onTestFinished(() => slow.close());
    const stop = new AbortController();
    const asked = slow.dangers("bash", { command: "sh run.sh" }, stop.signal);
    await looking.promise;
    stop.abort();
    expect(await ended.promise).toBe("killed");
    expect(await asked).toEqual([]);
  });

  it("does not wait for a script that is a pipe", async () => {
    const odd = await createWorld({});
    onTestFinished(() => odd.close());
    execFileSync("mkfifo", [join(odd.work, "run.sh")]);
    expect(await odd.dangers("bash", { command: "sh run.sh && sudo ls" })).toMatchObject([
      { category: "SUDO" },
    ]);
  });
});

it("the checkout of the test is a git work tree", () => {
  expect(execFileSync("git", ["-C", world.work, "ls-files"], { encoding: "utf8" })).toContain("src/kept.ts");
});
