/**
 * The demo's tour in a thread of two people, on the wire-level Slack and Discord: the real host process without a model
 * key, its tools in the real sandbox. What comes with quotes of the other person is understood as their message alone.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test, vi } from "vitest";
import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import { startHost } from "../app/cli/host.ts";
import { createFakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack } from "../fakes/slack/fake.ts";
import { scratch } from "../scratch.ts";

const LINE = "the harbour opens at nine";

test("on Slack", async () => {
  const repo = await makeRepo();
  const fake = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
    users: [{ name: "alice", role: "owner" }, { name: "bob" }],
  });
  const host = await startHost(scratch("tour-slack"), {
    PARLEY_MODEL: "demo",
    SLACK_BOT_TOKEN: fake.botToken,
    SLACK_APP_TOKEN: fake.appToken,
    SLACK_API_URL: fake.apiUrl,
    PARLEY_REPOS: repo,
  });
  onTestFinished(async () => {
    await host.stop("SIGKILL");
    await fake.close();
  });
  fake.as("alice").command("/parley", `repo ${repo}`, "general");
  await vi.waitFor(() => expect(fake.world.ephemerals).toHaveLength(1));

  const root = fake.as("bob").say("@parley where is the port read?", { channel: "general" });
  const reads = (wanted: RegExp): Promise<void> =>
    vi.waitFor(() => expect(fake.storyAsText(root.channel, root.ts)).toMatch(wanted));
  const thread = { channel: "general", thread: root.ts };
  await reads(/src\/config\.js:1[^]*tricted[^·\n]* · [[`<]/);
  fake.as("alice").say("Bob means the one of the harbour.", thread);
  await reads(/Several people write in this thread/);
  fake.as("alice").say(`@parley add the line '${LINE}' to README.md`, thread);
  await reads(/\[Approve\]/);
  const question = fake.world
    .messages(root.channel)
    .find(({ blocks }) => JSON.stringify(blocks ?? "").includes("Approve"));
  fake.as("alice").click({ channel: root.channel, ts: question?.ts ?? "" }, "Approve");
  await reads(new RegExp(`\\+${LINE}[^]*estricted · [[\`<]`));
  fake.as("bob").say("@parley denied write", thread);
  await reads(/the file was created/);

  const other = fake.as("alice").say("@parley please create hello.txt", { channel: "general" });
  await vi.waitFor(() => expect(fake.storyAsText(other.channel, other.ts)).toMatch(/\[Apply\]/));
  expect(fake.violations).toEqual([]);
});

test("on Discord", async () => {
  const repo = await makeRepo();
  const fake = await createFakeDiscord({ rates: "off", times: { identifyWindowMs: 0 } });
  const host = await startHost(scratch("tour-discord"), {
    PARLEY_MODEL: "demo",
    DISCORD_TOKEN: fake.token,
    DISCORD_API_URL: fake.apiUrl,
    PARLEY_REPOS: repo,
  });
  onTestFinished(async () => {
    await host.stop("SIGKILL");
    await fake.close();
  });
  const bind = await vi.waitFor(() => fake.as("maria").command("general", "parley repo", { name: repo }));
  await bind.told;

  const asked = fake.as("bob").say("general", "@parley where is the port read?");
  const reads = (wanted: RegExp): Promise<void> =>
    vi.waitFor(() => expect(fake.asText(asked.id)).toMatch(wanted));
  await reads(/src\/config\.js:1[^]*tricted[^·\n]* · [[`<]/);
  fake.as("maria").say(asked.id, "Bob means the one of the harbour.");
  await reads(/Several people write in this thread/);
  fake.as("maria").say(asked.id, `@parley add the line '${LINE}' to README.md`);
  await reads(/\[Approve\]/);
  const question = fake.world
    .messages(asked.id)
    .find(({ components }) => JSON.stringify(components).includes("Approve"));
  fake.as("maria").click({ channel: asked.id, id: question?.id ?? "" }, "Approve");
  await reads(new RegExp(`\\+${LINE}[^]*estricted · [[\`<]`));
  fake.as("bob").say(asked.id, "@parley denied write");
  await reads(/The kernel refused:/);

  const other = fake.as("maria").say("general", "@parley bitte erstelle hello.txt");
  await vi.waitFor(() => expect(fake.asText(other.id)).toMatch(/\[Apply\]/));
  expect(fake.violations).toEqual([]);
});

const makeRepo = async (): Promise<string> => {
  const repo = scratch("harbour");
  const git = execa({ cwd: repo, env: { GIT_CONFIG_GLOBAL: "/dev/null" } });
  await git`git init -q -b main`;
  mkdirSync(join(repo, "src"));
  writeFileSync(join(repo, "README.md"), "# Harbour\n");
  writeFileSync(join(repo, "src/config.js"), "exports.port = Number(process.env.PORT ?? 8787);\n");
  await git`git add -A`;
  await git`git -c user.name=t -c user.email=t@example.invalid commit -q -m first`;
  return repo;
};
