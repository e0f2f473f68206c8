/**
 * Issue 5, done when: docs/slack.md followed from a clean clone against the wire-level Slack. Every command, setting and
 * sentence to be typed is read out of the guide; the app is what its manifest asks for. Only what lies outside is put in
 * its place: the packages that `npm install` would fetch, Slack's address, and the values that Slack hands out.
 */

import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { root } from "../cli/host.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

const LONG = { timeout: 60_000, interval: 50 };
const isClone = existsSync(join(root, ".git"));
if (!isClone) console.log("skipped: the guide is followed from a clone, and this is none");

test.skipIf(!isClone)(
  "from nothing to an answer in a thread, as the guide says",
  async () => {
    const clone = join(scratch("guide"), "parley");
    await execa`git -c safe.directory=* clone -q --depth 1 file://${root} ${clone}`;
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    const guide = readFileSync(join(clone, "docs/slack.md"), "utf8");
    const step = (no: number): string =>
      new RegExp(`^${no}\\. \\*\\*[^]*?(?=^${no + 1}\\. \\*\\*|^## )`, "m").exec(guide)?.[0] ?? "";
    const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
      execa("sh", ["-c", command], {
        cwd: clone,
        extendEnv: false,
        env: { PATH: process.env["PATH"], HOME: clone, ...env },
        reject: false,
        all: true,
        detached: true,
      });

    const install = coded(step(1), /^npm install && npm run manifest/);
    const printed = await run(install.replace(/^npm install && npm run/, "npm run --silent"));
    const app = manifest.parse(JSON.parse(printed.stdout));
    const fake = await createFakeSlack({
      rates: "off",
      scopes: app.oauth_config.scopes.bot,
      events: app.settings.event_subscriptions.bot_events,
      users: [{ name: "alice", role: "owner" }, { name: "bob" }],
      channels: [{ name: "general", withoutApp: true }],
    });
    onTestFinished(() => fake.close());

    const repository = await sampleRepo("# Sample\n\nThe configuration is read in src/retry.js.\n");
    const local = coded(step(5), /^PARLEY_REPOS=\//).replace(/=.*/, `=${repository}`);
    writeFileSync(join(clone, ".env"), dotEnv(step(5), fake));
    appendFileSync(join(clone, ".env"), `${coded(step(5), /^PARLEY_MODEL=/)}\n${local}\n`);
    const elsewhere = { SLACK_API_URL: fake.apiUrl, PARLEY_PORT: "0" };

    fake.reinstall(app.oauth_config.scopes.bot.filter((scope) => scope !== "users:read"));
    const doctor = coded(step(6), /^npm run doctor$/);
    const unwell = await run(doctor, elsewhere);
    expect(unwell.all).toMatch(/error\s+slack scopes: missing: users:read \([^)]*\)\n\s+-> Add them/);
    expect(unwell.exitCode).toBe(1);
    fake.reinstall(app.oauth_config.scopes.bot);

    const host = run(coded(step(6), /^npm start$/), elsewhere);
    const lines: string[] = [];
    host.all.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
    onTestFinished(async () => {
      // npm and what it runs.
      if (host.pid !== undefined) process.kill(-host.pid, "SIGTERM");
      await host;
    });
    const on = coded(step(6), /^slack: on$/);
    await vi.waitFor(() => expect(lines.join("")).toMatch(new RegExp(`^${on}$`, "m")), LONG);

    expect(coded(step(7), /^\/invite/)).toBe("/invite @parley");
    fake.admin.invite("general");
    const question = coded(step(7), /^@parley /);
    const asked = fake.as("bob").say(question, { channel: "general" });
    await reads(fake, asked, /Pick the one to work on|An admin picks/);
    const menu = fake.world.thread(asked.channel, asked.ts).at(-1);
    fake.as("alice").choose({ channel: asked.channel, ts: menu?.ts ?? "" }, repository);
    await reads(fake, asked, /Working on[^]*◎/);
    expect(fake.violations).toEqual([]);
  },
  180_000,
);

/** What the guide gives to be typed or looked for, and matches. */
const coded = (text: string, wanted: RegExp): string => {
  const found = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code)
    .find((code) => wanted.test(code));
  if (found === undefined) throw new Error(`the guide has no ${wanted} in:\n${text}`);
  return found;
};

/** The block for `.env`, with what Slack handed out in the place of the examples. */
const dotEnv = (text: string, { botToken, appToken }: FakeSlack): string => {
  const block = /```\n([^]*?)```/.exec(text)?.[1] ?? "";
  const given: Readonly<Record<string, string>> = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
  const lines = block.split("\n").map((line) => line.trim());
  for (const name of Object.keys(given)) expect(lines.some((line) => line.startsWith(`${name}=`))).toBe(true);
  return lines
    .flatMap((line) => {
      const [name = ""] = line.split("=");
      // Another line of the step stands in for a model key and for a forge.
      if (name === "ANTHROPIC_API_KEY" || name === "PARLEY_REPOS") return [];
      return [given[name] === undefined ? line : `${name}=${given[name]}`];
    })
    .join("\n");
};

const reads = (fake: FakeSlack, { channel, ts }: { channel: string; ts: string }, wanted: RegExp) =>
  vi.waitFor(() => expect(fake.threadAsText(channel, ts)).toMatch(wanted), LONG);

const manifest = z.object({
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});
