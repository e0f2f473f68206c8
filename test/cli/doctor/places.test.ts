/** What doctor says of the ids in the settings: channels and approvers of Slack and Discord, good and bad. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCOPES } from "../../../adapters/slack/listen/manifest.ts";
import { ownersFindings } from "../../../src/cli/doctor/platform-findings.ts";
import { discordFindings } from "../../../src/cli/doctor/discord-findings.ts";
import { slackFindings } from "../../../src/cli/doctor/slack-findings.ts";
import { chatCommands } from "../../../src/host/commands.ts";
import { NO_SETTINGS } from "../../../src/runtime/chat/commands/channels.ts";
import { openStore } from "../../../src/store/sqlite.ts";
import { createFakeDiscord, type FakeDiscord } from "../../fakes/discord/fake.ts";
import { createFakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";
import { scratch } from "../../scratch.ts";
import { configOf, linesOf } from "./findings.ts";

type Env = Readonly<Record<string, string>>;
const BASE: Env = { PARLEY_MODEL: "demo", PARLEY_REPOS: "acme/*" };

const about = (lines: readonly string[], what: string): readonly string[] =>
  lines.filter((line) => line.includes(` ${what}: `)).map((line) => line.replace(` ${what}: `, " "));

const foundOnSlack = async (env: Env, options: FakeSlackOptions = {}): Promise<readonly string[]> => {
  const fake = await createFakeSlack({ scopes: Object.keys(SCOPES), ...options });
  onTestFinished(() => fake.close());
  const { botToken, appToken, apiUrl } = fake;
  const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl };
  const lines = await linesOf(slackFindings(configOf({ ...BASE, ...tokens, ...env })));
  expect(fake.violations).toEqual([]);
  return lines;
};

describe("Slack", () => {
  it("channels are there and the bot is in them, or it is said what to do", async () => {
    const channels = [{ name: "general" }, { name: "ops" }, { name: "away", withoutApp: true }];
    const good = await foundOnSlack(
      {
        PARLEY_APPROVALS_CHANNEL: "CGENERAL",
        PARLEY_OPERATOR_CHANNEL: "slack:COPS",
        PARLEY_SLACK_CHANNELS: "COPS",
      },
      { channels },
    );
    expect(about(good, "slack channels")).toEqual([
      "ok PARLEY_APPROVALS_CHANNEL: #general (CGENERAL)",
      "ok PARLEY_OPERATOR_CHANNEL: #ops (COPS)",
      "ok PARLEY_SLACK_CHANNELS: #ops (COPS)",
    ]);
    const bad = await foundOnSlack(
      { PARLEY_APPROVALS_CHANNEL: "CAWAY", PARLEY_OPERATOR_CHANNEL: "slack:CNONE" },
      { channels },
    );
    expect(about(bad, "slack channels")).toEqual([
      expect.stringMatching(
        /^error PARLEY_APPROVALS_CHANNEL: the bot is not in #away \(CAWAY\) -> Invite the bot/,
      ),
      expect.stringMatching(/^error PARLEY_OPERATOR_CHANNEL: CNONE: Slack said: channel_not_found -> /),
    ]);
  });

  it("channels in which answers are looked at are tried as well", async () => {
    const data = scratch("review");
    const opened = openStore(data);
    if (opened.kind === "failed") throw new Error(opened.message);
    const settings = { ...NO_SETTINGS, review: "CAWAY", by: "slack:U1", at: 1 } as const;
    await opened.chat.setChannel("slack", "CGENERAL", settings);
    await opened.store.close();
    const channels = [{ name: "general" }, { name: "away", withoutApp: true }];
    const found = await foundOnSlack({ PARLEY_DATA: data }, { channels });
    expect(about(found, "slack channels")).toEqual([
      expect.stringMatching(/^error \/parley review: the bot is not in #away \(CAWAY\) -> Invite the bot/),
    ]);
  });

  it("approvers are members and groups with members, or are named", async () => {
    const world = {
      users: [
        { name: "alice" },
        { name: "guy", role: "guest" as const },
        { name: "gone", role: "deactivated" as const },
      ],
      groups: { S1: ["alice"], S2: [] },
    };
    const good = await foundOnSlack({ PARLEY_APPROVERS: "slack:UALICE,slack:group:S1,slack:admins" }, world);
    expect(about(good, "slack approvers")).toEqual(["ok alice (UALICE)", "ok the group S1 (1 members)"]);
    const bad = await foundOnSlack(
      { PARLEY_APPROVERS: "slack:UGUY,slack:UGONE,slack:UNOBODY,slack:group:S2,slack:group:S9" },
      world,
    );
    expect(about(bad, "slack approvers")).toEqual([
      expect.stringMatching(/^warning guy \(UGUY\) is a guest: nobody approves by this entry -> Correct/),
      expect.stringMatching(/^warning gone \(UGONE\) is deactivated: /),
      expect.stringMatching(/^warning UNOBODY: Slack said: user_not_found: /),
      expect.stringMatching(/^warning the group S2 has no members: /),
      expect.stringMatching(/^warning S9: Slack said: no_such_subteam: /),
    ]);
    const file = join(scratch("owners"), "owners.json");
    writeFileSync(
      file,
      '{ "@ada": ["slack:UALICE", "console:operator"], "@web": "slack:group:S2", "*": "approvers" }',
    );
    const owned = await foundOnSlack({ PARLEY_CODEOWNERS: file }, world);
    expect(await linesOf(ownersFindings(file))).toEqual([`ok owners: @ada, @web, * (${file})`]);
    writeFileSync(join(file, "../bad.json"), '{ "ada": "slack:UALICE" }');
    expect((await linesOf(ownersFindings(join(file, "../bad.json"))))[0]).toMatch(/^error owners: /);
    expect(await linesOf(ownersFindings(undefined))).toEqual([]);
    expect(about(owned, "slack owners")).toEqual([
      "ok alice (UALICE)",
      "warning the group S2 has no members: nobody owns a file by this entry -> Correct the table of PARLEY_CODEOWNERS.",
    ]);
  });

  it("what no token can read is said, with how to look", async () => {
    expect(about(await foundOnSlack({}), "slack events")).toEqual([
      expect.stringMatching(
        /^ok cannot be read with these tokens: compare Event Subscriptions .* app_mention, /,
      ),
    ]);
  });
});

const start = async (): Promise<FakeDiscord> => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.close());
  return fake;
};
const foundOnDiscord = async (fake: FakeDiscord, env: Env): Promise<readonly string[]> => {
  const tokens = { DISCORD_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl };
  const lines = await linesOf(discordFindings(configOf({ ...BASE, ...tokens, ...env })));
  expect(fake.violations).toEqual([]);
  return lines;
};

describe("Discord", () => {
  it("channels can be seen and used, forums are forums, or it is said what is missing", async () => {
    const fake = await start();
    const { world } = fake;
    const id = (name: string): string => world.channelNamed(name).id;
    const [general, other, help] = [id("general"), id("other"), id("help")];
    const env = {
      PARLEY_OPERATOR_CHANNEL: `discord:${general}`,
      PARLEY_DISCORD_CHANNELS: other,
      PARLEY_DISCORD_ANSWER: help,
    };
    expect(about(await foundOnDiscord(fake, env), "discord channels")).toEqual([
      `ok PARLEY_OPERATOR_CHANNEL: #general (${general})`,
      `ok PARLEY_DISCORD_CHANNELS: #other (${other})`,
      `ok PARLEY_DISCORD_ANSWER: #help (${help})`,
    ]);
    const { AttachFiles, SendMessages } = PermissionFlagsBits;
    const everybody = world.guildNamed("Community").id;
    const shut = (name: string, deny: bigint): void => {
      const channel = world.channelNamed(name);
      if (channel.kind === "thread") throw new Error("no channel");
      world.putChannel({ ...channel, overwrites: [{ id: everybody, type: "role", allow: 0n, deny }] });
    };
    shut("general", SendMessages | AttachFiles);
    shut("other", AttachFiles);
    const bad = await foundOnDiscord(fake, { ...env, PARLEY_DISCORD_ANSWER: `${other},999999999999999999` });
    expect(about(bad, "discord channels")).toEqual([
      `error PARLEY_OPERATOR_CHANNEL: #general (${general}): the bot lacks Send Messages -> Let the bot see and use it, or correct the id.`,
      expect.stringMatching(/^error PARLEY_DISCORD_CHANNELS: #other .*: the bot lacks Attach Files -> /),
      expect.stringMatching(/^error PARLEY_DISCORD_ANSWER: #other \(\d+\) is no forum -> /),
      expect.stringMatching(/^error PARLEY_DISCORD_ANSWER: 999999999999999999: Discord said: .+ -> /),
    ]);
  });

  it("approvers are members and roles of a server, and its id is one that the bot is in", async () => {
    const fake = await start();
    const { world } = fake;
    const guild = world.guildNamed("Community");
    const role = [...guild.roles.values()].find(({ name }) => name === "maintainer")?.id ?? "";
    const maria = world.userNamed("maria").id;
    const none = "999999999999999999";
    const good = await foundOnDiscord(fake, {
      PARLEY_APPROVERS: `discord:${maria},discord:role:${role},discord:manage-guild`,
      PARLEY_DISCORD_GUILD: guild.id,
    });
    expect(about(good, "discord approvers")).toEqual([
      `ok maria (${maria})`,
      `ok the role maintainer (${role})`,
      expect.stringMatching(
        /^warning the role maintainer \(\d+\): a question that waits for them notifies nobody -> .*@mention/,
      ),
    ]);
    fake.admin.openRole("Community", "maintainer");
    const notified = await foundOnDiscord(fake, { PARLEY_APPROVERS: `discord:role:${role}` });
    expect(about(notified, "discord approvers")).toEqual([`ok the role maintainer (${role})`]);
    expect(about(good, "discord servers")).toEqual([]);
    const bad = await foundOnDiscord(fake, {
      PARLEY_APPROVERS: `discord:${none},discord:role:${none}`,
      PARLEY_DISCORD_GUILD: none,
    });
    expect(about(bad, "discord approvers")).toEqual([
      expect.stringMatching(
        /^warning 9+ is a member of no server of the bot: nobody approves by this entry -> /,
      ),
      expect.stringMatching(/^warning no server of the bot has the role 9+: nobody approves/),
    ]);
    expect(about(bad, "discord servers")[0]).toMatch(
      /^error the bot is not in PARLEY_DISCORD_GUILD \(9+\) -> .*invite the bot/,
    );
  });

  it("commands are registered, or will be at the next start", async () => {
    const fake = await start();
    const before = about(await foundOnDiscord(fake, {}), "discord commands");
    expect(before).toEqual([
      expect.stringMatching(/^warning not registered yet: ask, parley, .+ -> They are registered/),
    ]);
    const { applicationCommands } = await import("../../../adapters/discord/listen/commands.ts");
    const url = `${fake.apiUrl}/v10/applications/${fake.world.app.id}/commands`;
    const put = await fetch(url, {
      method: "PUT",
      headers: {
        authorization: `Bot ${fake.token}`,
        "content-type": "application/json",
        "user-agent": "DiscordBot (test, 1)",
      },
      body: JSON.stringify(applicationCommands(chatCommands.menu)),
    });
    expect(put.status).toBe(200);
    expect(about(await foundOnDiscord(fake, {}), "discord commands")).toEqual(["ok all are registered"]);
  });
});
