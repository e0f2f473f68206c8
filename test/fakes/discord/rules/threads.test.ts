import { once } from "node:events";
import { ChannelType, Events, Routes, ThreadAutoArchiveDuration } from "discord.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { harness, readyOn, refusal } from "../harness.ts";

const made = z.looseObject({ id: z.string() });

const scene = async (options: Parameters<typeof harness>[0] = { rates: "off" }) => {
  const all = await harness(options);
  const idOf = (name: string): string => all.fake.world.channelNamed(name).id;
  const post = async (route: `/${string}`, body: object) => made.parse(await all.rest.post(route, { body }));
  const say = (thread: string) => post(Routes.channelMessages(thread), { content: "here" });
  return { ...all, idOf, post, say };
};

describe("threads", () => {
  test("are opened on a message, with its id, and the real client finds and names them", async () => {
    const { fake, idOf } = await scene();
    const client = await readyOn(fake);
    const question = fake.as("alice").say("general", "@parley why?");
    const channel = await client.channels.fetch(idOf("general"));
    if (channel?.type !== ChannelType.GuildText) throw new Error("no channel");
    const message = await channel.messages.fetch(question.id);
    const created = once(client, Events.ThreadCreate);
    const thread = await message.startThread({ name: "Why" });
    await created;
    await thread.send("because");
    expect(thread.id).toBe(question.id);
    expect(fake.asText(thread.id)).toBe("--- from: @parley (bot)\nbecause\n");
    const updated = once(client, Events.ThreadUpdate);
    fake.as("alice").archive(thread.id);
    await updated;
    expect(thread.archived).toBe(true);
    await thread.setArchived(false);
    expect(thread.archived).toBe(false);
    expect(fake.violations).toEqual([]);
  });

  test("of their own are private unless they say otherwise, and hidden from who is not in them", async () => {
    const { fake, idOf, post, rest, say } = await scene();
    const secret = await post(Routes.threads(idOf("general")), { name: "secret" });
    expect(secret).toMatchObject({ type: 12 });
    expect(await post(Routes.threads(idOf("general")), { name: "open", type: 11 })).toMatchObject({
      type: 11,
    });
    expect(() => fake.as("alice").say(secret.id, "hi")).toThrow("alice has no ViewChannel");
    await rest.put(Routes.threadMembers(secret.id, fake.as("alice").id));
    fake.as("alice").say(secret.id, "hi");
    await say(secret.id);
    expect(await rest.get(Routes.threadMembers(secret.id))).toMatchObject([
      {},
      { user_id: fake.as("alice").id },
    ]);
    await rest.delete(Routes.threadMembers(secret.id, "@me"));
    expect(await refusal(say(secret.id))).toMatchObject({ code: 50_001 });
  });

  test("are archived when idle; a message opens them, an edit is refused until then", async () => {
    const { idOf, post, rest, clock, say } = await scene();
    const thread = await post(Routes.threads(idOf("general")), {
      name: "t",
      type: 11,
      auto_archive_duration: ThreadAutoArchiveDuration.OneHour,
    });
    const first = await say(thread.id);
    const edit = () => rest.patch(Routes.channelMessage(thread.id, first.id), { body: { content: "new" } });
    clock.advance(30 * 60_000);
    await edit();
    await say(thread.id);
    clock.advance(59 * 60_000);
    await edit();
    clock.advance(60_000);
    expect(await rest.get(Routes.channel(thread.id))).toMatchObject({ thread_metadata: { archived: true } });
    expect(await refusal(edit())).toMatchObject({ status: 400, code: 50_083 });
    await rest.patch(Routes.channel(thread.id), { body: { archived: false } });
    await edit();
    clock.advance(60 * 60_000);
    await say(thread.id);
    await edit();
  });

  test("that are locked stay shut for who may not manage them", async () => {
    const { fake, idOf, post, rest, say } = await scene();
    const thread = await post(Routes.threads(idOf("general")), { name: "t", type: 11 });
    fake.as("maria").lock(thread.id);
    expect(await refusal(say(thread.id))).toMatchObject({ code: 160_005 });
    fake.as("maria").archive(thread.id);
    const open = () => rest.patch(Routes.channel(thread.id), { body: { archived: false } });
    expect(await refusal(open())).toMatchObject({ code: 50_013 });
    fake.admin.overwrite("general", "parley", { allow: ["ManageThreads"] });
    await open();
    await say(thread.id);
  });

  test("need their own permission to be written to, and cannot be started twice on one message", async () => {
    const { fake, idOf, post, say } = await scene();
    const route = Routes.threads(idOf("general"), fake.as("alice").say("general", "hi").id);
    const thread = await post(route, { name: "t" });
    expect(await refusal(post(route, { name: "t" }))).toMatchObject({ code: 160_004 });
    fake.admin.overwrite("general", "parley", { deny: ["SendMessages"] });
    await say(thread.id);
    fake.admin.overwrite("general", "parley", { deny: ["SendMessagesInThreads"] });
    expect(await refusal(say(thread.id))).toMatchObject({ code: 50_013 });
    fake.admin.overwrite("general", "parley", { deny: ["CreatePublicThreads"] });
    const other = Routes.threads(idOf("general"), fake.as("alice").say("general", "again").id);
    expect(await refusal(post(other, { name: "t" }))).toMatchObject({ code: 50_013 });
  });

  test("go with their channel, and are listed while open and when archived", async () => {
    const { fake, idOf, post, rest } = await scene();
    const thread = await post(Routes.threads(idOf("general")), { name: "t", type: 11 });
    const guild = fake.world.guildNamed("Community").id;
    const active = Routes.guildActiveThreads(guild);
    const archived = Routes.channelThreads(idOf("general"), "public");
    expect(await rest.get(active)).toMatchObject({ threads: [{ id: thread.id }] });
    fake.as("maria").archive(thread.id);
    expect(await rest.get(active)).toMatchObject({ threads: [] });
    expect(await rest.get(archived)).toMatchObject({ threads: [{ id: thread.id }] });
    fake.admin.deleteChannel("general");
    expect(await refusal(rest.get(Routes.channel(thread.id)))).toMatchObject({ code: 10_003 });
  });
});

describe("forum posts", () => {
  test("of people are threads whose first message has their id", async () => {
    const { fake } = await scene();
    const client = await readyOn(fake);
    const created = once(client, Events.ThreadCreate);
    const post = fake.as("alice").ask("help", { name: "It crashes", text: "@parley help", tags: ["bug"] });
    const [thread] = await created;
    expect(thread).toMatchObject({ id: post.id, name: "It crashes" });
    expect(thread.appliedTags).toHaveLength(1);
    const first = await thread.fetchStarterMessage();
    expect(first.content).toContain("help");
  });

  test("of the app carry a message and tags of the forum", async () => {
    const { fake, idOf, post } = await scene();
    const route = Routes.threads(idOf("help"));
    const forum = fake.world.channelNamed("help");
    const tags = forum.kind === "forum" ? forum.tags.map(({ id }) => id) : [];
    const message = { content: "hello" };
    const thread = await post(route, { name: "Notice", message, applied_tags: tags.slice(0, 1) });
    expect(thread).toMatchObject({
      applied_tags: tags.slice(0, 1),
      message: { id: thread.id, content: "hello" },
    });
    expect(await refusal(post(route, { name: "Notice", message, applied_tags: ["1"] }))).toMatchObject({
      code: 50_035,
    });
    expect(await refusal(post(route, { name: "Notice" }))).toMatchObject({ code: 50_035 });
    expect(await refusal(post(Routes.channelMessages(forum.id), message))).toMatchObject({ code: 50_008 });
    fake.violations.splice(0);
  });

  test("of a forum that requires a tag need one", async () => {
    const channels = [{ name: "strict", kind: "forum", requiresTag: true, tags: ["a"] }] as const;
    const { idOf, post } = await scene({ guilds: [{ name: "G", channels }], rates: "off" });
    const given = { name: "x", message: { content: "y" } };
    expect(await refusal(post(Routes.threads(idOf("strict")), given))).toMatchObject({ code: 40_067 });
  });
});
