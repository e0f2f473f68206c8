/**
 * docs/slack.md followed from a clean clone against the wire-level Slack, and docs/discord.md in the
 * same way. Every command, setting and sentence to be typed is read out of the guide; the app is what its manifest asks
 * for. Only what lies outside is put in its place: the packages that `npm install` would fetch, the platform's address,
 * and the values that it hands out.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { INTENTS_TO_SWITCH_ON, inviteUrl } from "../../adapters/discord/read/manifest.ts";
import { root } from "../app/cli/host.ts";
import { createFakeDiscord, type FakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { sampleRepo } from "../sample-repo.ts";
import { cleanClone, coded, settingsOf, shellIn, startedWith, stepsOf } from "./guide.ts";

const isClone = existsSync(join(root, ".git"));
if (!isClone) console.log("skipped: the guide is followed from a clone, and this is none");

const sample = () => sampleRepo("# Sample\n\nThe configuration is read in src/retry.js.\n");

test.skipIf(!isClone)(
  "Slack: from nothing to an answer in a thread, as the guide says",
  async () => {
    const clone = await cleanClone();
    const step = stepsOf(clone, "docs/slack.md");
    const run = shellIn(clone);

    const install = coded(step(1), /^npm install && npm run manifest/);
    const printed = await run(install.replace(/^npm install && npm run/, "npm run --silent"));
    const app = manifest.parse(JSON.parse(printed.stdout));
    const fake = await createFakeSlack({
      rates: "off",
      isEmpty: true,
      users: [{ name: "alice", role: "owner" }, { name: "bob" }],
      channels: [{ name: "general", withoutApp: true }],
    });
    onTestFinished(() => fake.close());

    const repository = await sample();
    const page = new URL(/<(https:[^>]+new_app=1)>/.exec(step(2))?.[1] ?? "");
    page.searchParams.set("manifest_json", printed.stdout);
    const created = fake.developer.create(page.href, { without: ["users:read"] });
    if (created.kind !== "installed") throw new Error(JSON.stringify(created));
    const tokens = { SLACK_BOT_TOKEN: created.botToken, SLACK_APP_TOKEN: created.appToken };
    settingsOf(clone, step(3), tokens, repository);
    const elsewhere = { SLACK_API_URL: fake.apiUrl, PARLEY_PORT: "0" };

    const doctor = coded(step(4), /^npm run doctor$/);
    const unwell = await run(doctor, elsewhere);
    expect(unwell.all).toMatch(/error\s+slack scopes: missing: users:read \([^)]*\)\n\s+-> Add the scopes/);
    expect(unwell.exitCode).toBe(1);
    fake.reinstall(app.oauth_config.scopes.bot);

    await startedWith(run(coded(step(4), /^npm start$/), elsewhere), coded(step(4), /^slack: on$/));

    expect(coded(step(5), /^\/invite/)).toBe("/invite @parley");
    fake.admin.invite("general");
    const question = coded(step(5), /^@parley /);
    const asked = fake.as("bob").say(question, { channel: "general" });
    await onSlack(fake, asked, /I answer here once an admin picks one/);
    const menu = fake.world.thread(asked.channel, asked.ts).at(-1);
    fake.as("alice").choose({ channel: asked.channel, ts: menu?.ts ?? "" }, repository);
    await onSlack(fake, asked, /tricted[^·\n]* · [[`<]/);
    expect(fake.violations).toEqual([]);
  },
  180_000,
);

test.skipIf(!isClone)(
  "Discord: from nothing to an approved change in a thread, as the guide says",
  async () => {
    const clone = await cleanClone();
    const step = stepsOf(clone, "docs/discord.md");
    const run = shellIn(clone);
    const [intent] = INTENTS_TO_SWITCH_ON;
    expect(step(2).replaceAll(/\s+/g, " ")).toContain(`switch *${intent}* on`);
    const fake = await createFakeDiscord({ rates: "off", times: { identifyWindowMs: 0 }, privileged: [] });
    const granted = await createFakeDiscord({ rates: "off", times: { identifyWindowMs: 0 } });
    onTestFinished(async () => void (await Promise.all([fake.close(), granted.close()])));

    const repository = await sample();
    settingsOf(clone, step(3), { DISCORD_TOKEN: fake.token }, repository);
    const application = Buffer.from(fake.token.split(".")[0] ?? "", "base64").toString();
    const invitation = await run(coded(step(4), /^npm run manifest/));
    expect(invitation.all).toContain(inviteUrl(application));

    const unwell = await run(coded(step(5), /^npm run doctor$/), {
      DISCORD_API_URL: fake.apiUrl,
      PARLEY_PORT: "0",
    });
    expect(unwell.all).toMatch(/error\s+discord: The application is not granted .*\n\s+-> Switch on/);
    expect(unwell.exitCode).toBe(1);

    const elsewhere = { DISCORD_API_URL: granted.apiUrl, PARLEY_PORT: "0" };
    await startedWith(run(coded(step(5), /^npm start$/), elsewhere), coded(step(5), /^discord: on$/));

    const question = coded(step(7), /^@parley where/);
    granted.as("olga").say("general", question);
    await onDiscord(granted, "general", /I am not enabled here/);
    const [, name = ""] = coded(step(6), /^\/parley repo name:/).split(":");
    expect(name).toBe("owner/name");
    const chosen = await vi.waitFor(() =>
      granted.as("olga").command("general", "parley repo", { name: repository }),
    );
    expect(await chosen.told).toContain(`This channel works on ${repository}`);

    const asked = granted.as("olga").say("general", question);
    await onDiscord(granted, asked.id, /retry\.js[^]*tricted[^·\n]* · [[`<]/);
    granted.as("olga").say(asked.id, coded(step(7), /^@parley add/));
    await onDiscord(granted, asked.id, /\[Approve\] \[Deny\]/);
    const put = granted.world
      .messages(asked.id)
      .find(({ components }) => JSON.stringify(components).includes('"Approve"'));
    granted.as("olga").click({ channel: asked.id, id: put?.id ?? "" }, "Approve");
    await onDiscord(granted, asked.id, /approved\*\* by @olga[^]*README\.md[^]*tricted[^·\n]* · [[`<]/);
    expect([...fake.violations, ...granted.violations]).toEqual([]);
  },
  180_000,
);

const onSlack = (fake: FakeSlack, { channel, ts }: { channel: string; ts: string }, wanted: RegExp) =>
  vi.waitFor(() => expect(fake.threadAsText(channel, ts)).toMatch(wanted));

const onDiscord = (fake: FakeDiscord, channel: string, wanted: RegExp) =>
  vi.waitFor(() => expect(fake.asText(channel)).toMatch(wanted));

const manifest = z.object({
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
});
