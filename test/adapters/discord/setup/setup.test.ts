/** From a bot token to channels: the intent, the invitation, permissions, and each way in which something is missing. */

import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { discordSetup } from "../../../../adapters/discord/setup.ts";
import { inviteUrl } from "../../../../adapters/discord/read/manifest.ts";
import { createFakeDiscord, type FakeDiscord, type FakeDiscordOptions } from "../../../fakes/discord/fake.ts";
import type { GuildOption } from "../../../fakes/discord/world.ts";
import { Ended, readyWith, type SetupGiven, type SetupScene, setupScene } from "../../setup-scene.ts";

const OUTSIDE: GuildOption = {
  name: "Community",
  channels: [
    { name: "rules" },
    { name: "general" },
    { name: "voice", kind: "voice" },
    { name: "help", kind: "forum" },
  ],
  members: [{ name: "alice" }],
  systemChannel: "general",
  withoutApp: true,
};

/** As an application is on its first day: no intent, no server. */
const fresh = async (options: FakeDiscordOptions = {}): Promise<FakeDiscord> => {
  const fake = await createFakeDiscord({ rates: "off", privileged: [], guilds: [OUTSIDE], ...options });
  onTestFinished(() => fake.close());
  return fake;
};

const sceneOf = (fake: FakeDiscord, { settings = {}, ...given }: SetupGiven): SetupScene =>
  setupScene({ ...given, settings: { DISCORD_API_URL: fake.apiUrl, ...settings } });

const withToken = (fake: FakeDiscord, given: SetupGiven = {}): SetupScene =>
  sceneOf(fake, { ...given, settings: { DISCORD_TOKEN: fake.token, ...given.settings } });

const applicationId = (fake: FakeDiscord): string => fake.world.app.id;

/** The sentence by which the command ends without a terminal. */
const endOf = async (scene: SetupScene): Promise<string> => {
  try {
    const ended = await discordSetup(scene.context);
    return ended.kind === "stopped" ? ended.why : JSON.stringify(ended);
  } catch (error) {
    if (error instanceof Ended) return error.message;
    throw error;
  }
};

const patches = (fake: FakeDiscord) => fake.calls.filter(({ route }) => route === "PATCH /applications/@me");

describe("a new application", () => {
  it("gets its intent, then the invitation, and its channels once it is invited", async () => {
    const fake = await fresh();
    const scene = sceneOf(fake, {
      typed: [fake.token],
      beforeLook: (count) => {
        if (count === 1) fake.admin.inviteApp("Community");
        return true;
      },
    });
    const result = await readyWith(discordSetup, scene);
    expect(patches(fake).map(({ body }) => body)).toEqual([{ flags: 1 << 19 }]);
    expect(result.settings).toEqual({ DISCORD_TOKEN: fake.token });
    expect(result.approvers).toBe("discord:manage-guild");
    expect(scene.lines).toEqual([
      expect.stringMatching(/New Application.*Reset Token/),
      "? Bot token",
      "The token works: application parley.",
      "Switched on: Message Content Intent.",
      expect.stringMatching(/^Invite the bot/),
      inviteUrl(applicationId(fake)),
    ]);
    const channels = await result.channels();
    if (typeof channels === "string") throw new Error(channels);
    expect(channels.map(({ name, server }) => [name, server])).toEqual([
      ["general", "Community"],
      ["rules", "Community"],
      ["help", "Community"],
    ]);
    expect(channels[0]?.id).toBe(fake.world.channelNamed("general").id);
    expect(result.firstQuestion).toContain("@parley where is the configuration read?");
    expect(result.findings).toEqual([]);
    expect(fake.violations).toEqual([]);
    expect(scene.lines.join("\n")).not.toContain(fake.token);
  });

  it("keeps the intents that it has, and asks for none that it has", async () => {
    const fake = await fresh({ privileged: ["members"] });
    await readyWith(discordSetup, withToken(fake));
    expect(patches(fake).map(({ body }) => body)).toEqual([{ flags: (1 << 15) | (1 << 19) }]);
    await readyWith(discordSetup, withToken(fake));
    expect(patches(fake)).toHaveLength(1);
  });

  it("opens no session, of which Discord gives a thousand a day", async () => {
    const fake = await fresh();
    fake.admin.inviteApp("Community");
    const result = await readyWith(discordSetup, withToken(fake));
    expect(await result.channels()).toHaveLength(3);
    expect(fake.gateway.changes).toEqual([]);
  });

  it("leaves out channels that the bot cannot use, and servers that are not the one of the settings", async () => {
    const other = { name: "Elsewhere", channels: [{ name: "lobby" }] };
    const fake = await fresh({ guilds: [{ ...OUTSIDE, withoutApp: false }, other] });
    fake.admin.overwrite("rules", "@everyone", { deny: ["SendMessages"] });
    const namesWith = async (settings: Readonly<Record<string, string>>): Promise<unknown> => {
      const result = await readyWith(discordSetup, withToken(fake, { settings }));
      const channels = await result.channels();
      return typeof channels === "string" ? channels : channels.map(({ name }) => name);
    };
    expect(await namesWith({})).toEqual(["general", "help", "lobby"]);
    const { id } = fake.world.guildNamed("Elsewhere");
    expect(await namesWith({ PARLEY_DISCORD_GUILD: id })).toEqual(["lobby"]);
  });
});

describe("what is missing is said with what to do", () => {
  it.each([
    ["hello", /^This is no bot token: open https:.*, Bot, Reset Token, and paste the new token$/],
    ["123456789012345678", /^This is an id: open /],
    ["0".repeat(64), /^This is the application's public key: open /],
    ["a".repeat(32), /^This is a client secret: open /],
    ["https://discord.com/oauth2/authorize", /^This is a link: open /],
  ])("of %s in the place of the token", async (token, sentence) => {
    const fake = await fresh();
    expect(await endOf(withToken(fake, { settings: { DISCORD_TOKEN: token } }))).toMatch(sentence);
    expect(fake.calls).toEqual([]);
  });

  it("of a token that was reset", async () => {
    const fake = await fresh();
    fake.revoke();
    expect(await endOf(withToken(fake))).toMatch(
      /^Discord refuses the token, which was reset or mistyped: click Reset Token at https:\/\/discord\.com\/developers\/applications\/\d+\/bot/,
    );
    fake.restore();
    await readyWith(discordSetup, withToken(fake));
  });

  it("of no token at all", async () => {
    expect(await endOf(sceneOf(await fresh(), {}))).toBe("Missing: DISCORD_TOKEN");
  });

  it("of an intent that the application cannot switch on itself, until a person has done it", async () => {
    const fake = await fresh({ isVerified: true });
    const sentence =
      /^Switch on Message Content Intent at https:\/\/discord\.com\/developers\/applications\/\d+\/bot, or ask Discord .*\(Discord refused to switch it on: /;
    expect(await endOf(withToken(fake))).toMatch(sentence);
    const beforeLook = (count: number): boolean => {
      if (count === 2) fake.grantIntents(["messageContent"]);
      return true;
    };
    await readyWith(discordSetup, withToken(fake, { typed: [""], beforeLook }));
    expect(fake.violations).toEqual([]);
  });

  it("of a bot that nobody invites", async () => {
    const fake = await fresh();
    const result = await readyWith(discordSetup, withToken(fake));
    expect(await result.channels()).toBe(
      `The bot is in no server yet: open ${inviteUrl(applicationId(fake))}, then write \`/parley repo\` in a channel`,
    );
  });

  it("of permissions that were unticked, by name, until the bot is invited again", async () => {
    const fake = await fresh();
    fake.admin.setRole("Community", "@everyone", ["ViewChannel", "SendMessages", "CreatePublicThreads"]);
    fake.admin.inviteApp("Community", ["EmbedLinks", "SendMessagesInThreads", "CreatePrivateThreads"]);
    const lack = "In Community the bot lacks Read Message History, Attach Files";
    const stuck = withToken(fake);
    expect(await (await readyWith(discordSetup, stuck)).channels()).toBe(
      `${lack}: open ${inviteUrl(applicationId(fake))} again, then write \`/parley repo\` in a channel`,
    );
    const told = stuck.lines.filter((line) => line.startsWith(lack));
    expect(told).toEqual([expect.stringContaining(inviteUrl(applicationId(fake)))]);
    const beforeLook = (count: number): boolean => {
      if (count === 2) fake.admin.inviteApp("Community");
      return true;
    };
    const mended = await readyWith(discordSetup, withToken(fake, { beforeLook }));
    expect(await mended.channels()).toHaveLength(3);
  });

  it("of permissions in one of several servers, as a warning for the end", async () => {
    const fake = await fresh({ guilds: [{ ...OUTSIDE, withoutApp: false }, { name: "Elsewhere" }] });
    fake.admin.setRole("Elsewhere", "@everyone", ["ViewChannel"]);
    fake.admin.inviteApp("Elsewhere", []);
    const result = await readyWith(discordSetup, withToken(fake));
    expect(await result.channels()).toHaveLength(3);
    expect(result.findings).toEqual([
      expect.objectContaining({
        level: "warning",
        what: "discord permissions",
        found: expect.stringMatching(/^In Elsewhere the bot lacks Send Messages, /),
        remedy: expect.stringContaining(inviteUrl(applicationId(fake))),
      }),
    ]);
  });

  it("of servers in which the bot can use no channel", async () => {
    const fake = await fresh({ guilds: [{ ...OUTSIDE, withoutApp: false }] });
    for (const name of ["rules", "general", "help"])
      fake.admin.overwrite(name, "@everyone", { deny: ["ViewChannel"] });
    expect(await (await readyWith(discordSetup, withToken(fake))).channels()).toMatch(
      /^The bot can use no channel .*: let /,
    );
  });

  it("of a network that is not there, a server in between, a slow service and a limit", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const address = closed.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const fake = await fresh();
    const gone = { DISCORD_API_URL: `http://127.0.0.1:${port}/api` };
    expect(await endOf(withToken(fake, { settings: gone }))).toMatch(
      /^Discord gives no usable answer \(Discord cannot be reached\): check the network, HTTPS_PROXY and DISCORD_API_URL/,
    );
    const match = { route: "GET /applications/@me" };
    fake.fault({ kind: "status", status: 502, body: "html" }, { match });
    expect(await endOf(withToken(fake))).toMatch(/^Discord gives no usable answer \(HTTP 502\)/);
    fake.fault({ kind: "nonsense", text: "<html>sign in</html>" }, { match });
    expect(await endOf(withToken(fake))).toMatch(/^Discord gives no usable answer/);
    fake.fault({ kind: "limited", retryAfter: 7 }, { match });
    expect(await endOf(withToken(fake))).toMatch(
      /^Discord limits the rate of requests: try again in \d+ seconds$/,
    );
    fake.fault({ kind: "stall", applied: false }, { match });
    expect(await endOf(withToken(fake, { request: 50 }))).toMatch(/^Discord gives no usable answer/);
  });
});
