import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld, SECRET, type World } from "../world.ts";

const HINT = "[sandbox: Restricted mode, read-only, no network; use request_mode_upgrade]";

let world: World;
beforeAll(async () => {
  world = await createWorld({ "a.txt": "hello\n", ".gitignore": "ignored\n" });
});
afterAll(() => world.close());

const bash = (command: string, more: Parameters<World["call"]>[2] & { mode?: string } = {}) => {
  const { mode, ...options } = more;
  return world.call("bash", mode === undefined ? { command } : { command, mode }, options);
};

describe("what a command answers", () => {
  it.each<[string, string, string, boolean]>([
    ["standard output", "echo out", "out\n", false],
    ["both outputs in their order", "echo 1; echo 2 >&2; echo 3", "1\n2\n3\n", false],
    ["nothing", "true", "", false],
    ["a comment", "# nothing", "", false],
    ["a failure", "echo said; exit 3", "[command failed: exit code 3]\nsaid\n", true],
    ["a syntax error", "if", "[command failed: exit code 2]\n", true],
    ["its own end by a signal", "kill -TERM $$", "[command failed: exit code 143]\n", true],
    ["end of input", "cat; echo done", "done\n", false],
    ["colours and progress drawn", "printf '10%%\\r100%%\\n\\033[31mred\\033[0m\\n'", "100%\nred\n", false],
    ["wrong bytes replaced", "printf 'a\\377b'", "a\ufffdb", false],
    ["the working directory", "pwd", "CWD\n", false],
    ["the checkout", "cat a.txt; git log --format=%s; git status --short", "hello\nfirst\n", false],
  ])("%s", async (_, command, expected, isError) => {
    const { text, ...rest } = await bash(command);
    const wanted = expected.replace("CWD", world.cwd);
    if (command === "if") expect(text.startsWith(wanted)).toBe(true);
    else expect(text).toBe(wanted);
    const exit = Number(/exit code (\d+)/.exec(expected)?.[1] ?? 0);
    expect(rest).toEqual({ isError, images: [], diff: null, background: false, exit, reached: [] });
  });

  it.each(["", " \n\t"])("refuses the empty command %j", async (command) => {
    expect(await bash(command)).toMatchObject({ text: "Command cannot be empty", isError: true });
  });

  it.each<[unknown, string]>([
    [{}, "Invalid input: command: expected string, received undefined"],
    [{ command: 3 }, "Invalid input: command: expected string, received number"],
    [null, "Invalid input: expected object, received null"],
    [
      { command: "ls", mode: "fast" },
      'Invalid input: mode: Invalid option: expected one of "default"|"slow"|"background"',
    ],
    [{ command: "a\0b" }, "Invalid input: command: must not contain a NUL character"],
    [
      { command: "x".repeat(61_440) },
      "Input too large (61454 bytes). Maximum is 61440 bytes. Put the script into a file and run that.",
    ],
  ])("refuses the input %j", async (input, text) => {
    expect(await world.call("bash", input)).toMatchObject({ text, isError: true });
  });

  it("takes a command as long as the limit allows", async () => {
    const script = `: ${"x".repeat(61_000)}; echo ran`;
    expect((await bash(script)).text).toBe("ran\n");
  });

  it("is truncated in the middle above 128 KB", async () => {
    const { text } = await bash("head -c 200000 /dev/zero | tr '\\0' x");
    expect(text).toBe(
      `[output truncated in middle: got 200000, max is 131072]\n${"x".repeat(4096)}\n\n[snip]\n\n${"x".repeat(4096)}`,
    );
  });

  it("does not show a known secret, even one that a command puts together", async () => {
    expect((await bash(`printf '%s' ${SECRET.slice(0, 9)}; echo '${SECRET.slice(9)}'`)).text).toBe("***\n");
  });

  it("keeps no state between calls", async () => {
    await bash("cd /; export KEPT=1; f() { echo f; }");
    expect((await bash('pwd; echo "[$KEPT]"; type f 2>/dev/null || echo no f')).text).toBe(
      `${world.cwd}\n[]\nno f\n`,
    );
  });

  it("does not wait for what a command left behind", async () => {
    expect((await bash("sleep 600 & echo started")).text).toBe("started\n");
  });
});

describe("the environment", () => {
  it("is an allow-list and nothing of the host's", async () => {
    process.env["PARLEY_CANARY"] = "must not be seen";
    const command = "env | cut -d= -f1 | sort | tr '\\n' ' '";
    const { text } = await world.call("bash", { command }, { safeMode: true });
    delete process.env["PARLEY_CANARY"];
    expect(text).toBe(
      "CI EDITOR FROM_WORKSPACE GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_PAGER GIT_SEQUENCE_EDITOR GIT_TERMINAL_PROMPT HOME LANG LOGNAME NO_COLOR PAGER PARLEY_NODE PATH PWD SHELL SHLVL TERM TMPDIR USER VISUAL _ ",
    );
  });

  it("has ripgrep, refuses interactive rebases and reads no start-up file", async () => {
    await bash("echo 'echo from bashrc' > ~/.bashrc; echo 'echo from profile' > ~/.bash_profile");
    expect((await bash("rg --version | head -1")).text).toMatch(/^ripgrep \d/);
    const rebase = await bash(
      "git -c user.name=t -c user.email=t@t commit -q --allow-empty -m x && git rebase -i HEAD~1; git reset -q --hard HEAD~1",
    );
    expect(rebase.text).toContain("interactive rebase needs an editor");
  });
});

describe("BASH-007", () => {
  it.each([
    [
      "git add -A",
      "permission denied: blind git add commands (git add -A, git add ., git add --all, git add *) are not allowed, specify files explicitly",
    ],
    [
      "cd src; git push origin main -f",
      "permission denied: git push --force is not allowed. Use --force-with-lease for safer force pushes, or push without force",
    ],
    [
      "rm -rf ~/x",
      "permission denied: this rm command could delete critical data (.git, home directory, or root). Specify the full path explicitly (no wildcards, ~, or $HOME)",
    ],
  ])("refuses %s in both modes", async (command, text) => {
    expect(await bash(command)).toMatchObject({ text, isError: true });
    expect(await bash(command, { permission: "restricted" })).toMatchObject({ text, isError: true });
  });

  it("lets what looks alike pass", async () => {
    expect((await bash("echo 'git add -A'; rm -rf node_modules")).text).toBe("git add -A\n");
  });

  it("runs what it cannot read to the end, and says so on a line of its own", async () => {
    const deep = "eval ".repeat(400);
    const line =
      "[not checked for blind git add, git push --force and critical rm: the command is too involved to be read to its end]";
    expect((await bash(`${deep}echo ran`)).text).toBe(`ran\n${line}`);
    expect((await bash(`${deep}printf ran`)).text).toBe(`ran\n${line}`);
    expect((await bash(`${deep}true`)).text).toBe(line);
    expect((await bash(`${deep}false`)).text).toBe(`[command failed: exit code 1]\n${line}`);
    expect((await bash("eval echo ran")).text).toBe("ran\n");
  });
});

const exists = (path: string) =>
  stat(join(world.work, path)).then(
    () => true,
    () => false,
  );

describe("permission", () => {
  beforeEach(({ skip }) => skip(!world.sandbox.probe.restricted, world.sandbox.probe.refusal ?? ""));

  it("Restricted cannot write in the working directory, Unrestricted can", async () => {
    const denied = await bash("touch new.txt", { permission: "restricted" });
    expect(denied.text).toMatch(
      /^\[command failed: exit code 1\]\ntouch: .*(Read-only file system|Permission denied|Operation not permitted)\n/,
    );
    expect(denied.text.endsWith(`\n${HINT}`)).toBe(true);
    expect(denied.isError).toBe(true);
    expect(await exists("new.txt")).toBe(false);
    expect(await bash("touch new.txt")).toMatchObject({ text: "", isError: false });
    expect(await exists("new.txt")).toBe(true);
  });

  it("the hint follows every failure in Restricted, and nothing else", async () => {
    expect((await bash("exit 4", { permission: "restricted" })).text).toBe(
      `[command failed: exit code 4]\n${HINT}`,
    );
    expect((await bash("printf x; exit 4", { permission: "restricted" })).text).toBe(
      `[command failed: exit code 4]\nx\n${HINT}`,
    );
    expect((await bash("echo 'Permission denied'", { permission: "restricted" })).text).toBe(
      "Permission denied\n",
    );
    expect((await bash("exit 4")).text).toBe("[command failed: exit code 4]\n");
  });

  it("issue 9: what the workspace has to say of the set-up stands below a failure, before the other hint", async () => {
    const conversation = "c-hinted";
    const failed = "[command failed: exit code 4]\n[set-up: it failed]";
    expect((await bash("exit 4", { conversation, permission: "restricted" })).text).toBe(
      `${failed}\n${HINT}`,
    );
    expect((await bash("exit 4", { conversation })).text).toBe(failed);
    expect((await bash("true", { conversation })).text).toBe("");
  });

  it("Restricted has a private temporary directory that vanishes with the command", async () => {
    const { text } = await bash('f=$TMPDIR/f; echo x > "$f" && cat "$f" && echo "$f"', {
      permission: "restricted",
    });
    const [content, path] = text.split("\n");
    expect(content).toBe("x");
    expect((await bash(`cat '${path}'`, { permission: "restricted" })).isError).toBe(true);
  });

  it("a blocked command runs once, and nothing is tried in its place", async () => {
    const started: (readonly string[])[] = [];
    const watched = await createWorld({}, (sandbox) => ({
      ...sandbox,
      run: (command, ...hooks) => {
        started.push(command.argv);
        return sandbox.run(command, ...hooks);
      },
    }));
    const command = "echo tried; touch new2.txt";
    const { text } = await watched.call("bash", { command }, { permission: "restricted" });
    await watched.close();
    expect(text.match(/tried/g)).toHaveLength(1);
    expect(started.map((argv) => argv.at(-1))).toEqual([command]);
  });
});

describe("cancelling", () => {
  it("ends the command and says so", async () => {
    const controller = new AbortController();
    const running = bash("echo begun > begun.txt; sleep 30", { signal: controller.signal });
    await expect.poll(() => world.read("begun.txt").catch(() => "")).toBe("begun\n");
    controller.abort();
    expect(await running).toMatchObject({ text: "[command cancelled]", isError: true });
  });

  it("before the start, nothing runs", async () => {
    expect(await bash("touch never.txt", { signal: AbortSignal.abort() })).toMatchObject({
      text: "[command cancelled]",
      isError: true,
    });
    await expect(world.read("never.txt")).rejects.toThrow();
  });
});
