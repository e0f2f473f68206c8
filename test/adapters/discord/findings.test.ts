/** Doctor's findings about Discord: the channels and people that the settings name, and the commands, good and bad. */

import { PermissionFlagsBits } from "discord.js";
import { expect, it, onTestFinished } from "vitest";
import { checkDiscord } from "../../../adapters/discord/findings.ts";
import { platformFindings } from "../../../src/app/cli/doctor/platform-findings.ts";
import { about, linesOf, platformConfigOf } from "../../app/cli/doctor/findings.ts";
import { chatCommands } from "../../../src/app/commands.ts";
import { createFakeDiscord, type FakeDiscord } from "../../fakes/discord/fake.ts";

const BASE = { PARLEY_MODEL: "demo", PARLEY_REPOS: "acme/*" };

const start = async (): Promise<FakeDiscord> => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.close());
  return fake;
};
const foundOnDiscord = async (
  fake: FakeDiscord,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const tokens = { DISCORD_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl };
  const lines = await linesOf(platformFindings(platformConfigOf("discord", { ...BASE, ...tokens, ...env })));
  expect(fake.violations).toEqual([]);
  return lines;
};

it("channels can be seen and used, forums are forums, or it is said what is missing", async () => {
  const fake = await start();
  const { world } = fake;
  const id = (name: string): string => world.channelNamed(name).id;
  const [general, other, help] = [id("general"), id("other"), id("help")];
  const env = {
    PARLEY_OPERATOR_CHANNEL: `discord:${general}`,
    PARLEY_DISCORD_CHANNELS: other,
    PARLEY_DISCORD_AUTO_ANSWER_FORUMS: help,
  };
  expect(about(await foundOnDiscord(fake, env), "discord channels")).toEqual([
    `ok PARLEY_OPERATOR_CHANNEL: #general (${general})`,
    `ok PARLEY_DISCORD_CHANNELS: #other (${other})`,
    `ok PARLEY_DISCORD_AUTO_ANSWER_FORUMS: #help (${help})`,
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
  const bad = await foundOnDiscord(fake, {
    ...env,
    PARLEY_DISCORD_AUTO_ANSWER_FORUMS: `${other},999999999999999999`,
  });
  expect(about(bad, "discord channels")).toEqual([
    `error PARLEY_OPERATOR_CHANNEL: #general (${general}): the bot lacks Send Messages -> Let the bot see and use the channel, or correct the id.`,
    expect.stringMatching(/^error PARLEY_DISCORD_CHANNELS: #other .*: the bot lacks Attach Files -> /),
    expect.stringMatching(/^error PARLEY_DISCORD_AUTO_ANSWER_FORUMS: #other \(\d+\) is not a forum -> /),
    expect.stringMatching(
      /^error PARLEY_DISCORD_AUTO_ANSWER_FORUMS: 999999999999999999: Discord said: .+ -> /,
    ),
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
      /^warning the role maintainer \(\d+\): a waiting question does not notify this role -> .*@mention/,
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
      /^warning 9+ is not a member of any server of the bot: this entry names no approver -> /,
    ),
    expect.stringMatching(/^warning no server of the bot has the role 9+: this entry names no approver/),
  ]);
  expect(about(bad, "discord servers")[0]).toMatch(
    /^error the bot is not in PARLEY_DISCORD_GUILD \(9+\) -> .*invite the bot/,
  );
});

it("commands are registered, or will be at the next start", async () => {
  const fake = await start();
  const before = about(await foundOnDiscord(fake, {}), "discord commands");
  expect(before).toEqual([
    expect.stringMatching(/^warning not registered yet: ask, parley, .+ -> Start Parley/),
  ]);
  const { applicationCommands } = await import("../../../adapters/discord/receive/commands.ts");
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
  expect(about(await foundOnDiscord(fake, {}), "discord commands")).toEqual([
    "ok all commands are registered",
  ]);
});

it("a token is usable, refused, or its application lacks an intent that is named", async () => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.close());
  const { token, apiUrl } = fake;
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    kind: "usable",
    name: "parley",
    servers: [fake.world.guildNamed("Community").id],
    lacking: [],
  });
  const role = [...fake.world.guildNamed("Community").roles.values()];
  for (const { id, name } of role) {
    fake.world
      .guildNamed("Community")
      .roles.set(id, { id, name, permissions: PermissionFlagsBits.ViewChannel });
  }
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    lacking: [{ server: "Community", permissions: expect.arrayContaining(["SendMessages", "AttachFiles"]) }],
  });
  fake.revoke();
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    problem: { message: expect.stringContaining("refuses the bot's token") },
  });
  const bare = await createFakeDiscord({ privileged: [] });
  onTestFinished(() => bare.close());
  expect(await checkDiscord({ token: bare.token, apiUrl: bare.apiUrl })).toMatchObject({
    problem: { message: expect.stringContaining("Message Content") },
  });
});
