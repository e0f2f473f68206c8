/** Each wrong input ends with one sentence that says what to do, and nothing is written. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sampleRepo } from "../../../sample-repo.ts";
import { type SetupFolder, setupFolder } from "./folder.ts";

const ALL = ["console", "--model", "demo", "--repos", "none"];

/** The sentence of a run that must fail. `before`: text of `.env`; null if there is none. */
const refusal = async (
  folder: SetupFolder,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  before: string | null = null,
): Promise<string> => {
  const file = join(folder.path, ".env");
  if (before !== null) writeFileSync(file, before, { mode: 0o600 });
  const made = folder.made();
  const changed = before === null ? null : statSync(file).mtimeMs;
  const { status, errors } = await folder.run(args, env);
  expect([status, errors]).toEqual([1, expect.any(String)]);
  expect(errors.trimEnd().split("\n")).toHaveLength(1);
  expect(folder.settings()).toBe(before);
  if (changed !== null) expect(statSync(file).mtimeMs).toBe(changed);
  expect(folder.made()).toEqual(made);
  return errors.trimEnd();
};

const listening = async (answer: string): Promise<string> => {
  const server = createServer((_, response) => response.end(answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return String(z.object({ port: z.number() }).parse(server.address()).port);
};

describe("parley setup refuses", () => {
  it.each<readonly [string, readonly string[], RegExp]>([
    ["an unknown option", ["--modell", "demo"], /is not an option of setup\. Did you mean --model\?/],
    ["an option without a value", ["console", "--model"], /needs a value: write it after the option\.$/],
    ["no surface", [], /pass --surface \(SETUP_SURFACE\)\.$/],
    ["an unknown surface", ["teams"], /Enter slack, discord, console, or paste a token/],
    [
      "missing tokens, all at once",
      ["slack"],
      /--bot-token \(SLACK_BOT_TOKEN\) and --app-token \(SLACK_APP_TOKEN\)\.$/,
    ],
    ["a missing token", ["discord"], /pass --token \(DISCORD_TOKEN\)\.$/],
    ["an update without an app", ["console", "--update"], /name a chat platform before --update\.$/],
    [
      "a repository that is absent",
      ["console", "--model", "demo", "--repos", "/absent"],
      /does not exist\. Correct the path/,
    ],
    [
      "a folder without git",
      ["console", "--model", "demo", "--repos", "./data0"],
      /is no git work tree\. Run git init/,
    ],
    ["no repository", ["console", "--model", "demo"], /pass --repos \(PARLEY_REPOS\)\.$/],
    [
      "an unreachable forge",
      ["console", "--model", "demo", "--repos", "https://127.0.0.1:9/a/b"],
      /cannot be reached\. Check this machine's network/,
    ],
    [
      "a model of no provider",
      ["console", "--model", "opnai/x", "--repos", "none"],
      /opnai is not a provider/,
    ],
    [
      "a server without models",
      ["console", "--model", "http://127.0.0.1:9/v1"],
      /lists no models\. Check that it ends in \/v1/,
    ],
    ["a key without a model", ["console", "--model", "z".repeat(32)], /Enter the model before it/],
    ["a model without its key", ["console", "--model", "openai/gpt-5.5"], /pass OPENAI_API_KEY\.$/],
    [
      "a wrong approver",
      [...ALL, "--approvers", "bob"],
      /PARLEY_APPROVERS: must be ids such as .*console:operator\.$/,
    ],
    ["no port", [...ALL, "--port", "99999"], /is no port: enter a number from 1024 to 65535\.$/],
    [
      "a wrong wait",
      ["discord", "--token", "x", "--wait", "soon"],
      /is no number of seconds: correct --wait\.$/,
    ],
  ])("%s", async (_, args, why) => {
    const folder = setupFolder("refused");
    mkdirSync(join(folder.path, "data0"));
    expect(await refusal(folder, args)).toMatch(why);
    expect(await refusal(folder, args, {}, "# mine\nPARLEY_LANGUAGE=de\n")).toMatch(why);
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    [
      "Slack without a network",
      ["slack", "--bot-token", "xoxb-1-abc", "--app-token", "xapp-1-A1-1-abc"],
      /network|reach/,
    ],
    [
      "a user token",
      ["slack", "--bot-token", "xoxp-1-abc", "--app-token", "xapp-1-A1-1-abc"],
      /a user token.*paste the bot token/,
    ],
    [
      "the app-level token twice",
      ["slack", "--bot-token", "xapp-1-abc", "--app-token", "xapp-1-abc"],
      /paste the bot token/,
    ],
    [
      "a configuration token as bot token",
      ["slack", "--bot-token", "xoxe.xoxp-1-abc", "--app-token", "xapp-1-abc"],
      /only creates and updates apps/,
    ],
    [
      "a signing secret",
      ["slack", "--bot-token", "0123456789abcdef0123456789abcdef", "--app-token", "xapp-1-abc"],
      /a signing secret/,
    ],
    ["a malformed Discord token", ["discord", "--token", "123456789012345678"], /token/i],
    [
      "Discord without a network",
      ["discord", "--token", `MTAwMDAwMDAwMDAwMDAwMDAw.fake.${"t".repeat(27)}`],
      /network|reach/,
    ],
    ["an update of an unknown app", ["slack", "--update"], /run `parley setup slack` first/],
    ["an update of Discord", ["discord", "--update"], /without --update/],
  ])("%s", async (_, args, why) => {
    const env = { SLACK_API_URL: "http://127.0.0.1:9/api/", DISCORD_API_URL: "http://127.0.0.1:9/api" };
    expect(await refusal(setupFolder("refused"), args, env)).toMatch(why);
  });

  it("a key that the provider refuses, and does not print it", async () => {
    const server = createServer((_, response) => {
      response.statusCode = 401;
      response.setHeader("content-type", "application/json");
      response.end('{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}');
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const key = `sk-ant-${"s3cret".repeat(6)}`;
    const why = await refusal(setupFolder("refused"), ["console", "--model", key, "--repos", "none"], env);
    expect(why).toMatch(/Set ANTHROPIC_API_KEY to a key that is valid at ANTHROPIC_BASE_URL\.$/);
    expect(why).not.toContain("s3cret");
  });

  it("a port that another process has, and takes another one", async () => {
    const port = await listening("no health");
    const folder = setupFolder("refused");
    expect(await refusal(folder, ALL, { PARLEY_PORT: port })).toMatch(
      /another process uses 127\.0\.0\.1:\d+\. Stop that process, or set PARLEY_PORT to another port\.$/,
    );
    expect((await folder.run([...ALL, "--port", "0"], { PARLEY_PORT: "0" })).status).toBe(0);
    expect(folder.settings()).toContain("PARLEY_PORT=0\n");
  });

  it(".env that cannot be read alike, and one in a folder that commands may read", async () => {
    const before = "PARLEY_MODEL=demo # mine\n";
    expect(await refusal(setupFolder("refused"), ALL, {}, before)).toMatch(
      /\.env, line 1: a # in an unquoted value .* Put the value in single quotes/,
    );
    const linked = setupFolder("refused");
    symlinkSync("/etc/parley-test.env", join(linked.path, ".env"));
    const { status, errors } = await linked.run(ALL);
    expect([status, errors]).toEqual([1, expect.stringMatching(/lies in \/etc, which every command/)]);
  });

  it("a second run beside the first", async () => {
    const folder = setupFolder("refused");
    const [program = "", ...args] = folder.command("console", "--model", "sk-ant-0", "--repos", "none");
    const slow = createServer(() => undefined);
    slow.listen(0, "127.0.0.1");
    await once(slow, "listening");
    const { port } = z.object({ port: z.number() }).parse(slow.address());
    const asked = once(slow, "request");
    const env = { ...folder.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const first = spawn(program, args, { cwd: folder.path, env, stdio: "ignore" });
    onTestFinished(() => {
      first.kill("SIGKILL");
      slow.closeAllConnections();
      slow.close();
    });
    await asked;
    expect(await refusal(folder, ALL)).toMatch(
      /Another parley setup of this folder is running\. Finish it first/,
    );
    first.kill("SIGTERM");
    expect(await once(first, "exit")).toEqual([130, null]);
    expect(folder.settings()).toBeNull();
    expect((await folder.run(ALL)).status).toBe(0);
  });

  it.skipIf(process.getuid?.() !== 0)("a folder of another user that is read-only", async () => {
    const folder = setupFolder("refused");
    chmodSync(folder.path, 0o555);
    chownSync(folder.path, 0, 0);
    const [program = "", ...args] = folder.command(...ALL);
    const child = spawn("setpriv", ["--reuid=65534", "--clear-groups", program, ...args], {
      cwd: folder.path,
      env: folder.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [status] = await once(child, "close");
    expect([status, errors]).toEqual([
      1,
      expect.stringMatching(/cannot be written \(.*\): run setup as its owner\.\n$/),
    ]);
    expect(folder.made()).toEqual([]);
  });
});

describe("parley setup", () => {
  it("keeps what is there, narrows the file's mode, and changes nothing the second time", async () => {
    const folder = setupFolder("again");
    const file = join(folder.path, ".env");
    writeFileSync(file, "# mine\nPARLEY_LANGUAGE=de\n", { mode: 0o644 });
    const repo = await sampleRepo("# Sample\n");
    const args = ["console", "--model", "demo", "--repos", repo];
    const first = await folder.run(args);
    expect([first.status, first.errors]).toEqual([0, ""]);
    expect(first.out).toContain("its mode is now 0600");
    expect(folder.mode()).toBe("600");
    expect(folder.settings()).toMatch(
      /^# mine\nPARLEY_LANGUAGE=de\n\n# Written by parley setup\nPARLEY_MODEL=demo\n/,
    );
    const written = folder.settings();
    const { mtimeMs } = statSync(file);
    const second = await folder.run(["console"]);
    expect(second.out).toContain(`Nothing changes in ${file}.`);
    expect([second.status, folder.settings(), statSync(file).mtimeMs]).toEqual([0, written, mtimeMs]);
  });

  it("removes what a killed run left, and corrects only the settings that it asks for", async () => {
    const folder = setupFolder("again");
    writeFileSync(join(folder.path, ".env.setup-4711"), "PARLEY_MODEL=x");
    writeFileSync(join(folder.path, ".env"), "PARLEY_APPROVERS=bob\nPARLEY_FOO=1\n", { mode: 0o600 });
    const { status, out } = await folder.run([...ALL, "--approvers", "console:operator"]);
    expect(out).toContain("error   configuration: PARLEY_FOO is not a setting of Parley");
    expect(status).toBe(1);
    expect(folder.made().toSorted()).toEqual([".env"]);
    expect(readFileSync(join(folder.path, ".env"), "utf8")).toMatch(
      /^PARLEY_APPROVERS=console:operator\nPARLEY_FOO=1\n/,
    );
  });

  it("says which variable of the environment wins over .env", async () => {
    const { out } = await setupFolder("again").run(ALL, { PARLEY_MODEL: "claude-sonnet-5-5" });
    expect(out).toContain("The environment sets PARLEY_MODEL to another value, which wins over .env");
  });
});
