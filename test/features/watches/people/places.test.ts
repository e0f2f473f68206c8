/** Whose posts are read, and where: guests, private channels, posts of a forum. What a private channel knows stays there. */

import { describe, expect, it } from "vitest";
import { createRig as createDiscordRig, type DiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../../adapters/slack/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";

const order = async (rig: SlackRig, text: string, channel: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, channel);
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
};

const looksOf = ({ asked }: Pick<SlackRig | DiscordRig, "asked">) =>
  asked.flatMap((messages) => lookIn(messages) ?? []);

const postsOf = (rig: Pick<SlackRig | DiscordRig, "asked">) => looksOf(rig).map(({ post }) => post);

const watching = async (options: RigOptions, ...channels: readonly string[]): Promise<SlackRig> => {
  const rig = await createRig({
    answer: deciding(crashes),
    outside: { link: async (_, { place, root }) => `https://slack.example/${place}/${root}` },
    ...options,
  });
  for (const channel of channels)
    expect(await order(rig, "watch people: Find bugs", channel)).toMatch(/posts of people/);
  return rig;
};

it("a guest's post is not read, a member's is", async () => {
  const users = [
    { name: "alice", role: "owner" as const },
    { name: "bob" },
    { name: "gus", role: "guest" as const },
  ];
  const rig = await watching({ fake: { users } }, "general");
  const root = rig.fake.as("gus").say("The cart crashes for guests", { channel: "general" });
  await heard(rig);
  expect(looksOf(rig)).toEqual([]);
  rig.fake.as("bob").say("The cart crashes for members", { channel: "general" });
  await heard(rig);
  expect(postsOf(rig)).toEqual(["The cart crashes for members"]);
  expect(rig.fake.world.thread(root.channel, root.ts)).toHaveLength(1);
  expect(rig.fake.world.ephemerals.filter((one) => one.for === "UGUS")).toEqual([]);
});

describe("a private channel", () => {
  const fake = {
    channels: [{ name: "general" }, { name: "secret", isPrivate: true, members: ["alice", "bob"] }],
  };
  const bound = ["CGENERAL", "GSECRET"];
  const FIRST = "The invoice importer crashes with umlauts";
  const AGAIN = "Is the invoice importer broken with umlauts?";

  it("is watched like a public one", async () => {
    const rig = await watching({ fake, bound }, "secret");
    const root = rig.fake.as("bob").say(FIRST, { channel: "secret" });
    const text = await rig.thread(root, /Answer \d/);
    expect(text).toMatch(/Started automatically/);
    expect(rig.fake.violations).toEqual([]);
  });

  it.each([
    ["another channel learns nothing of its threads", "general", 0],
    ["the channel itself does", "secret", 1],
  ] as const)("%s", async (_, second, known) => {
    const rig = await watching({ fake, bound }, "secret", "general");
    const root = rig.fake.as("bob").say(FIRST, { channel: "secret" });
    await rig.thread(root, /Answer \d/);
    await heard(rig);
    rig.fake.as("bob").say(AGAIN, { channel: second });
    await heard(rig);
    const last = looksOf(rig).at(-1);
    expect(last?.post).toBe(AGAIN);
    expect(last?.matters).toHaveLength(known);
    if (known === 0) expect(JSON.stringify(last)).not.toContain(FIRST);
  });
});

const heardOnDiscord = async (rig: DiscordRig): Promise<void> => {
  // The gateway tells in order.
  await rig.run("bob", "general", "parley help");
  await expect.poll(() => [...rig.chat.unhandled("discord"), ...rig.chat.unhandled("watch")]).toEqual([]);
};

const watchingForum = async (): Promise<DiscordRig> => {
  const rig = await createDiscordRig({ answer: deciding(crashes), bound: ["general", "help"] });
  const said = await rig.run("maria", "help", "parley watch", { what: "people: Find bugs" });
  expect(said).toContain("posts of people");
  return rig;
};

describe("a forum on Discord", () => {
  it("a post's first message is read, and the look stands in the post; replies are not read", async () => {
    const rig = await watchingForum();
    const post = rig.fake.as("bob").ask("help", { name: "Cart", text: "The cart crashes when empty." });
    const text = await rig.reads(post.channel, /Started automatically[^]*Answer \d/);
    expect(text).toContain("The cart crashes when empty.");
    expect(rig.bot.list(10, null)[0]?.conversation.createdBy).toMatch(/^watch:/);
    const asked = rig.asked.length;
    rig.fake.as("alice").say(post.channel, "It crashes here too");
    await heardOnDiscord(rig);
    expect(rig.asked.length).toBe(asked);
    rig.fake.as("bob").say(post.channel, "since version 4.2");
    await expect.poll(() => rig.asked.length).toBe(asked + 1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("a post that is chatter stays as people wrote it", async () => {
    const rig = await watchingForum();
    const post = rig.fake.as("bob").ask("help", { name: "Thanks", text: "Great release!" });
    await heardOnDiscord(rig);
    expect(postsOf(rig)).toHaveLength(1);
    expect(rig.fake.asText(post.channel)).not.toContain("parley (bot)");
    expect(rig.bot.list(10, null)).toEqual([]);
  });
});

const GUILD = {
  name: "Community",
  channels: [{ name: "general" }, { name: "secret" }],
  members: [{ name: "bob" }, { name: "gus", isPending: true }, { name: "maria", roles: ["maintainer"] }],
};

/** Everybody loses the view of #secret, except bob, maria and Parley. */
const watchingOnDiscord = async (...places: readonly string[]): Promise<DiscordRig> => {
  const rig = await createDiscordRig({
    answer: deciding(crashes),
    outside: { link: async (_, { place, root }) => `https://discord.example/${place}/${root}` },
    fake: { guilds: [GUILD] },
    bound: ["general", "secret"],
  });
  const { admin } = rig.fake;
  for (const who of ["bob", "maria", "parley"]) admin.overwrite("secret", who, { allow: ["ViewChannel"] });
  admin.overwrite("secret", "@everyone", { deny: ["ViewChannel"] });
  for (const place of places)
    expect(await rig.run("maria", place, "parley watch", { what: "people: Find bugs" })).toContain(
      "posts of people",
    );
  return rig;
};

describe("on Discord", () => {
  it("a post of a member who has not passed the screening is not read, a member's is", async () => {
    const rig = await watchingOnDiscord("general");
    const { id } = rig.fake.as("gus").say("general", "The cart crashes for guests");
    await heardOnDiscord(rig);
    expect(looksOf(rig)).toEqual([]);
    rig.fake.as("bob").say("general", "The cart crashes for members");
    await heardOnDiscord(rig);
    expect(postsOf(rig)).toEqual(["The cart crashes for members"]);
    expect(rig.fake.world.channels.has(id)).toBe(false);
    expect(rig.fake.asText("general")).not.toContain("(only for @gus)");
  });

  it("a channel that not everyone sees is watched like others", async () => {
    const rig = await watchingOnDiscord("secret");
    const { id } = rig.fake.as("bob").say("secret", "The invoice importer crashes with umlauts");
    await rig.reads(id, /Started automatically[^]*Answer \d/);
    expect(rig.fake.violations).toEqual([]);
  });

  it.each([
    ["another channel learns nothing of its threads", "general", 0],
    ["the channel itself does", "secret", 1],
  ] as const)("of such a channel, %s", async (_, second, known) => {
    const rig = await watchingOnDiscord("secret", "general");
    const { id } = rig.fake.as("bob").say("secret", "The invoice importer crashes with umlauts");
    await rig.reads(id, /Answer \d/);
    await heardOnDiscord(rig);
    const again = "Is the invoice importer broken with umlauts?";
    rig.fake.as("bob").say(second, again);
    await heardOnDiscord(rig);
    const last = looksOf(rig).at(-1);
    expect(last?.post).toBe(again);
    expect(last?.matters).toHaveLength(known);
    if (known === 0) expect(JSON.stringify(last)).not.toContain("crashes with umlauts");
  });

  it("messages of a private thread are not read", async () => {
    const rig = await watchingOnDiscord("general");
    const thread = rig.fake.as("maria").openThread("general", "Plans", { isPrivate: true });
    rig.fake.as("maria").say(thread, "The cart crashes in private");
    await heardOnDiscord(rig);
    expect(looksOf(rig)).toEqual([]);
  });
});
