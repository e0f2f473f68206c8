/**
 * From an empty folder to an answer in a channel: the installed command in a pseudo-terminal and without one, on wire-level
 * servers that behave as Slack and Discord do on a new app's first day.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeDiscord, type FakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { stageInto } from "../packaging/staged.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { startInPty } from "./pty.ts";

const MODEL = /Model \(.*: /;
const REPOS = /Repositories \(.*: /;
const REVIEW = /q to quit.*: /;
const CREATE_LINK = /https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_json=\S+/;
const INVITATION = /https:\/\/discord\.com\/\S*oauth2\/authorize\S+/;
const QUESTION = "where is the number of attempts read?";

let installed = "";
let bin = "";
beforeAll(() => {
  installed = scratch("installed");
  bin = join(installed, stageInto(installed));
});

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly repo: string;
}

/** An empty folder: settings and data lie where the command runs. */
const place = async (more: Readonly<Record<string, string>>): Promise<Place> => {
  const folder = join(scratch("first"), "empty");
  mkdirSync(folder);
  const env = { PATH: process.env["PATH"], HOME: folder, PARLEY_PORT: "0", ...more };
  return { folder, env, repo: await sampleRepo("# Sample\n") };
};

const settingsIn = ({ folder }: Place): string => {
  const file = join(folder, ".env");
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  return readFileSync(file, "utf8");
};

/** `parley start` with the settings of the folder. */
const startIn = async ({ folder, env }: Place): Promise<void> => {
  const child = spawn(process.execPath, [bin, "start"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith("console: ")) break;
  child.stdout.resume();
};

const runWithout = async (
  { folder, env }: Place,
  args: readonly string[],
  answers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly out: string }> => {
  const child = spawn(process.execPath, [bin, "setup", ...args], {
    cwd: folder,
    env: { ...env, ...answers },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const [status] = await once(child, "close");
  return { status: Number(status), out };
};

const workspace = async (): Promise<FakeSlack> => {
  const fake = await createFakeSlack({
    rates: "off",
    isEmpty: true,
    users: [{ name: "alice", role: "owner" }, { name: "bob" }],
    channels: [{ name: "general", withoutApp: true }],
  });
  onTestFinished(() => fake.close());
  return fake;
};
const answersOnSlack = async (fake: FakeSlack): Promise<void> => {
  fake.admin.invite("general");
  const root = fake.as("alice").say(`@parley ${QUESTION}`, { channel: "general" });
  await vi.waitFor(() => expect(fake.storyAsText(root.channel, root.ts)).toMatch(/src\/retry\.js:1/));
  expect(fake.violations).toEqual([]);
};

describe("Slack", () => {
  it("takes at most 6 inputs from an empty folder to an answer in a channel", async () => {
    const fake = await workspace();
    const here = await place({ SLACK_API_URL: fake.apiUrl });
    const session = startInPty([process.execPath, bin, "setup"], { cwd: here.folder, env: here.env });
    await session.until(/Where do people ask Parley\?.*: /);
    session.type("slack");
    const [link = ""] = CREATE_LINK.exec(await session.until(/Bot token.*: /)) ?? [];
    const created = fake.developer.create(link);
    if (created.kind !== "installed") throw new Error(JSON.stringify(created));
    session.type(`${created.botToken} ${created.appToken}`);
    await session.until(MODEL);
    session.type("demo");
    await session.until(REPOS);
    session.type(here.repo);
    await session.until(REVIEW);
    session.type("");
    expect([await session.ended, session.screen()]).toEqual([0, expect.any(String)]);
    expect(session.inputs()).toBeLessThanOrEqual(6);
    const screen = session.screen();
    for (const token of [created.botToken, created.appToken]) expect(screen).not.toContain(token);
    expect(screen).toMatch(/ok {6}slack/);
    expect(screen.trimEnd()).toMatch(/In Slack: \/invite @parley .*where is the configuration read\?"$/);
    expect(settingsIn(here)).toBe(
      [
        "# Written by parley setup",
        `SLACK_BOT_TOKEN=${created.botToken}`,
        `SLACK_APP_TOKEN=${created.appToken}`,
        "PARLEY_MODEL=demo",
        `PARLEY_REPOS=${here.repo}`,
        `PARLEY_REPO=${here.repo}`,
        "PARLEY_APPROVERS=console:operator,slack:admins",
        "",
      ].join("\n"),
    );
    await startIn(here);
    await answersOnSlack(fake);
  });

  it("writes the same without a terminal, from the environment or from options", async () => {
    const fake = await workspace();
    const { link } = await linkOf(fake);
    const created = fake.developer.create(link);
    if (created.kind !== "installed") throw new Error(JSON.stringify(created));
    const first = await place({ SLACK_API_URL: fake.apiUrl });
    const answers = {
      SETUP_SURFACE: "slack",
      SLACK_BOT_TOKEN: created.botToken,
      SLACK_APP_TOKEN: created.appToken,
      PARLEY_MODEL: "demo",
      PARLEY_REPOS: first.repo,
    };
    const { status, out } = await runWithout(first, [], answers);
    expect([status, out]).toEqual([0, expect.any(String)]);
    expect(out).not.toContain(created.botToken);
    const second = { ...(await place({ SLACK_API_URL: fake.apiUrl })), repo: first.repo };
    const flags = ["--bot-token", created.botToken, "--app-token", created.appToken, "--model", "demo"];
    expect((await runWithout(second, ["slack", ...flags, "--repos", first.repo], {})).status).toBe(0);
    expect(settingsIn(second)).toBe(settingsIn(first));
    await startIn(second);
    await answersOnSlack(fake);
  });

  it("creates the app by a configuration token, and later compares it with the manifest", async () => {
    const fake = await workspace();
    const here = await place({ SLACK_API_URL: fake.apiUrl });
    const { token, refresh } = fake.developer.configurationToken();
    const answers = { PARLEY_MODEL: "demo", PARLEY_REPOS: here.repo };
    const configuration = { SLACK_CONFIG_TOKEN: token, SLACK_CONFIG_REFRESH_TOKEN: refresh };
    const created = await runWithout(here, ["slack"], { ...answers, ...configuration });
    expect([created.status, created.out]).toEqual([
      1,
      expect.stringMatching(/pass --bot-token \(SLACK_BOT_TOKEN\)\.\n$/),
    ]);
    const [, app = ""] = /Slack created the app (A\w+)\./.exec(created.out) ?? [];
    const tokens = fake.developer.install(app);
    if (tokens.kind !== "installed") throw new Error(JSON.stringify(tokens));
    const appToken = fake.developer.appToken(app, ["connections:write"]);
    const given = { ...answers, SLACK_BOT_TOKEN: tokens.botToken, SLACK_APP_TOKEN: appToken };
    expect((await runWithout(here, ["slack"], given)).status).toBe(0);
    expect(settingsIn(here)).not.toContain("SLACK_CONFIG");
    const updated = await runWithout(here, ["slack", "--update", "--yes"], {});
    expect([updated.status, updated.out]).toEqual([
      0,
      expect.stringContaining("has the manifest of this version"),
    ]);
    for (const secret of [token, refresh, tokens.botToken, appToken])
      for (const { out } of [created, updated]) expect(out).not.toContain(secret);
    await startIn(here);
    await answersOnSlack(fake);
  });

  it("writes no token that lacks a permission, belongs to another app or is of another kind", async () => {
    const fake = await workspace();
    const { link } = await linkOf(fake);
    const created = fake.developer.create(link, { without: ["channels:history"] });
    if (created.kind !== "installed") throw new Error(JSON.stringify(created));
    const here = await place({ SLACK_API_URL: fake.apiUrl });
    const tried = async (bot: string, app: string): Promise<string> => {
      const answers = {
        SLACK_BOT_TOKEN: bot,
        SLACK_APP_TOKEN: app,
        PARLEY_MODEL: "demo",
        PARLEY_REPOS: "none",
      };
      const { status, out } = await runWithout(here, ["slack"], answers);
      expect(status).toBe(1);
      expect(() => statSync(join(here.folder, ".env"))).toThrow();
      expect(out).not.toContain(bot);
      return out.trimEnd().split("\n").at(-1) ?? "";
    };
    expect(await tried(created.botToken, created.appToken)).toMatch(/channels:history/);
    expect(await tried(created.appToken, created.botToken)).toMatch(/app-level token/);
    expect(await tried("xoxp-12345", created.appToken)).toMatch(/user token/);
    expect(await tried("xoxb-unknown", created.appToken)).toMatch(/\.$/);
  });
});

/** The link that setup prints to a person who has no token yet. */
const linkOf = async (fake: FakeSlack): Promise<{ readonly link: string }> => {
  const here = await place({ SLACK_API_URL: fake.apiUrl });
  const session = startInPty([process.execPath, bin, "setup", "slack"], { cwd: here.folder, env: here.env });
  const [link = ""] = CREATE_LINK.exec(await session.until(/Bot token.*: /)) ?? [];
  session.press("\u0003");
  expect(await session.ended).toBe(130);
  return { link };
};

const community = async (): Promise<FakeDiscord> => {
  const fake = await createFakeDiscord({
    rates: "off",
    times: { identifyWindowMs: 0 },
    privileged: [],
    guilds: [
      {
        name: "Community",
        channels: [{ name: "rules" }, { name: "general" }],
        members: [{ name: "alice" }],
        systemChannel: "general",
        withoutApp: true,
      },
    ],
  });
  onTestFinished(() => fake.close());
  return fake;
};
const answersOnDiscord = async (fake: FakeDiscord, channel: string): Promise<void> => {
  await vi.waitFor(() => expect(fake.gateway.open.length).toBeGreaterThan(0));
  fake.as("alice").say(channel, `@parley ${QUESTION}`);
  await vi.waitFor(() =>
    expect([...fake.world.channels.values()].map(({ id }) => fake.asText(id)).join("\n")).toMatch(
      /src\/retry\.js:1/,
    ),
  );
  expect(fake.violations).toEqual([]);
};

describe("Discord", () => {
  it("takes at most 4 inputs from an empty folder to an answer in the chosen channel", async () => {
    const fake = await community();
    const here = await place({ DISCORD_API_URL: fake.apiUrl });
    const session = startInPty([process.execPath, bin, "setup", "discord"], {
      cwd: here.folder,
      env: here.env,
    });
    await session.until(/Bot token.*: /);
    session.type(fake.token);
    expect(await session.until(MODEL)).toMatch(INVITATION);
    fake.admin.inviteApp("Community");
    session.type("demo");
    await session.until(REPOS);
    session.type(here.repo);
    expect(await session.until(REVIEW)).toContain("Channel with the repository: #general (Community)");
    session.type("");
    expect([await session.ended, session.screen()]).toEqual([0, expect.any(String)]);
    expect(session.inputs()).toBeLessThanOrEqual(4);
    const screen = session.screen();
    expect(screen).not.toContain(fake.token);
    expect(screen).toContain(`#general works on ${here.repo}.`);
    expect(screen).toMatch(/ok {6}discord/);
    expect(settingsIn(here)).toContain("PARLEY_APPROVERS=console:operator,discord:manage-guild\n");
    await startIn(here);
    await answersOnDiscord(fake, "general");
  });

  it("goes on without a server if the person presses Enter, and says what is left to do", async () => {
    const fake = await community();
    const here = await place({ DISCORD_API_URL: fake.apiUrl });
    const args = ["setup", "discord", "--model", "demo", "--repos", here.repo];
    const session = startInPty([process.execPath, bin, ...args], {
      cwd: here.folder,
      env: { ...here.env, DISCORD_TOKEN: fake.token },
    });
    await session.until(/\(Enter continues without it\)/);
    session.type("");
    await session.until(REVIEW);
    session.type("");
    await session.ended;
    expect(session.screen()).toContain("Run setup again afterwards.");
    expect(settingsIn(here)).toContain("DISCORD_TOKEN=");
  });

  it("does the same without a terminal, in the channel that an option names", async () => {
    const fake = await community();
    const here = await place({ DISCORD_API_URL: fake.apiUrl });
    const answers = { DISCORD_TOKEN: fake.token, PARLEY_MODEL: "demo", PARLEY_REPOS: here.repo };
    const late = await runWithout(here, ["discord", "--wait", "1"], answers);
    expect([late.status, late.out]).toEqual([1, expect.stringMatching(/\.\n$/)]);
    expect(() => statSync(join(here.folder, ".env"))).toThrow();
    fake.admin.inviteApp("Community");
    const { status, out } = await runWithout(here, ["discord", "--channel", "rules"], answers);
    expect([status, out]).toEqual([0, expect.stringContaining(`#rules works on ${here.repo}.`)]);
    await startIn(here);
    await answersOnDiscord(fake, "rules");
  });
});
