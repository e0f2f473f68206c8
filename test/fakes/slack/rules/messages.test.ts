import { expect, test } from "vitest";
import { typed } from "../people/typed.ts";
import { slackSchema } from "../schema.ts";
import { harness, postMessage, rejection } from "../harness.ts";

test("what is posted, edited and deleted is read back; metadata where it is asked for", async () => {
  const { fake, client } = await harness();
  const root = await postMessage(client, { channel: "CGENERAL", text: "root" });
  const ts = root.ts ?? "";
  const reply = await postMessage(client, {
    channel: "CGENERAL",
    thread_ts: ts,
    text: "reply",
    metadata: { event_type: "parley_post", event_payload: { key: "answer/1" } },
  });
  await client.chat.update({ channel: "CGENERAL", ts: reply.ts ?? "", text: "better" });

  const plain = await client.conversations.replies({ channel: "CGENERAL", ts });
  expect(plain.messages).toMatchObject([
    { text: "root", reply_count: 1 },
    { text: "better", thread_ts: ts, edited: { user: "UPARLEY" } },
  ]);
  expect(plain.messages?.[1]).not.toHaveProperty("metadata");
  const full = await client.conversations.replies({ channel: "CGENERAL", ts, include_all_metadata: true });
  expect(full.messages?.[1]).toMatchObject({
    metadata: { event_type: "parley_post", event_payload: { key: "answer/1" } },
  });

  await client.chat.delete({ channel: "CGENERAL", ts: reply.ts ?? "" });
  expect((await client.conversations.replies({ channel: "CGENERAL", ts })).messages).toHaveLength(1);
  expect(fake.violations).toEqual([]);
});

test("metadata is kept by an edit that does not name it, and removed by an empty one", async () => {
  const { fake, client } = await harness();
  const metadata = { event_type: "parley_post", event_payload: { key: "a" } };
  const { ts = "" } = await postMessage(client, { channel: "CGENERAL", text: "a", metadata });
  const held = (): unknown => fake.world.message("CGENERAL", ts)?.metadata;
  await client.chat.update({ channel: "CGENERAL", ts, text: "b" });
  expect(held()).toEqual(metadata);
  await client.apiCall("chat.update", { channel: "CGENERAL", ts, text: "c", metadata: {} });
  expect(held()).toBeUndefined();
});

test("a thread is read page by page and from a timestamp on; its root stands on every page", async () => {
  const { fake, client } = await harness({ rates: "off" });
  const { ts } = fake.as("alice").say("root", { channel: "general" });
  const replies = ["1", "2", "3"].map((text) => fake.as("bob").say(text, { channel: "general", thread: ts }));
  const texts = async (args: object): Promise<readonly unknown[]> => {
    const { messages } = await client.conversations.replies({ channel: "CGENERAL", ts, ...args });
    return (messages ?? []).map(({ text }) => text);
  };
  expect(await texts({})).toEqual(["root", "1", "2", "3"]);
  const first = await client.conversations.replies({ channel: "CGENERAL", ts, limit: 2 });
  expect(first).toMatchObject({ has_more: true, messages: [{ text: "root" }, { text: "1" }, { text: "2" }] });
  expect(await texts({ limit: 2, cursor: first.response_metadata?.next_cursor })).toEqual(["root", "3"]);
  expect(await texts({ oldest: replies[0]?.ts })).toEqual(["root", "2", "3"]);
  expect(await texts({ oldest: replies[0]?.ts, inclusive: true, latest: replies[1]?.ts })).toEqual([
    "root",
    "1",
    "2",
  ]);
  const history = await client.conversations.history({ channel: "CGENERAL" });
  expect(history.messages).toMatchObject([{ text: "root", reply_count: 3 }]);
  expect(await rejection(client.conversations.replies({ channel: "CGENERAL", ts: "1.1" }))).toMatchObject({
    data: { error: "thread_not_found" },
  });
  expect(fake.violations).toEqual([]);
});

test("an ephemeral message is seen by its reader alone and is in no history", async () => {
  const { fake, client } = await harness({
    users: [{ name: "alice" }, { name: "bob" }],
    channels: [{ name: "general", members: ["alice"] }],
  });
  const { ts = "" } = await postMessage(client, { channel: "CGENERAL", text: "root" });
  await client.chat.postEphemeral({ channel: "CGENERAL", user: "UALICE", thread_ts: ts, text: "psst" });
  expect((await client.conversations.replies({ channel: "CGENERAL", ts })).messages).toHaveLength(1);
  expect(fake.threadAsText("CGENERAL", ts)).toContain("only to @alice\npsst");
  expect(
    await rejection(client.chat.postEphemeral({ channel: "CGENERAL", user: "UBOB", text: "psst" })),
  ).toMatchObject({ data: { error: "user_not_in_channel" } });
});

test("people, groups, bots, members and direct channels are told as they are", async () => {
  const { fake, client } = await harness({
    users: [
      { name: "alice", role: "owner" },
      { name: "gus", role: "guest" },
      { name: "eve", role: "external" },
    ],
    groups: { S0OPS: ["alice"] },
  });
  expect((await client.users.info({ user: "UALICE" })).user).toMatchObject({
    is_owner: true,
    is_admin: true,
  });
  expect((await client.users.info({ user: "UGUS" })).user).toMatchObject({
    is_restricted: true,
    is_admin: false,
  });
  expect((await client.users.info({ user: "UEVE" })).user).toMatchObject({
    team_id: "T0OTHER",
    is_stranger: true,
  });
  fake.admin.setRole("alice", "deactivated");
  expect((await client.users.info({ user: "UALICE" })).user).toMatchObject({
    deleted: true,
    is_admin: false,
  });
  expect(await client.usergroups.users.list({ usergroup: "S0OPS" })).toMatchObject({ users: ["UALICE"] });
  expect(await rejection(client.usergroups.users.list({ usergroup: "S0NONE" }))).toMatchObject({
    data: { error: "no_such_subteam" },
  });
  expect((await client.bots.info({ bot: "B0PARLEY" })).bot).toMatchObject({ user_id: "UPARLEY" });
  expect((await client.conversations.members({ channel: "CGENERAL" })).members).toEqual([
    "UALICE",
    "UGUS",
    "UEVE",
    "UPARLEY",
  ]);
  const { channel } = await client.conversations.open({ users: "UGUS" });
  expect(channel).toMatchObject({ id: "DGUS", is_im: true });
  await postMessage(client, { channel: "UGUS", text: "hello" });
  expect(fake.world.messages("DGUS")).toHaveLength(1);
  expect(fake.violations).toEqual([]);
});

test("reactions of the app are added once and removed once; a permalink names the thread", async () => {
  const { fake, client } = await harness();
  const { ts } = fake.as("alice").say("hello", { channel: "general" });
  const on = { channel: "CGENERAL", timestamp: ts, name: "eyes" };
  await client.reactions.add(on);
  expect(await rejection(client.reactions.add(on))).toMatchObject({ data: { error: "already_reacted" } });
  expect(fake.threadAsText("CGENERAL", ts)).toBe("--- from: @alice\nhello\n:eyes: @parley\n");
  await client.reactions.remove(on);
  expect(await rejection(client.reactions.remove(on))).toMatchObject({ data: { error: "no_reaction" } });
  const reply = fake.as("bob").say("hi", { channel: "general", thread: ts });
  expect(await client.chat.getPermalink({ channel: "CGENERAL", message_ts: reply.ts })).toMatchObject({
    permalink: `https://fake.slack.com/archives/CGENERAL/p${reply.ts.replace(".", "")}?thread_ts=${ts}&cid=CGENERAL`,
  });
});

test("WS6 rich text of what people type is as Slack declares it", async () => {
  const declared = await slackSchema([]);
  const fits = declared.accepts("KnownBlock");
  const words =
    "*b* _i_ ~s~ `c` <@U1> <#C1|x> <!subteam^S1> <!here> <!date^1^{date}^https://x.example|then> :eyes: #a1b2c3";
  for (const text of [
    words,
    `> ${words}`,
    `1. ${words}\n3. x`,
    `• ${words}`,
    `a\n\`\`\`\n${words}\n\`\`\``,
    "2 < 3 * 4 * 5",
  ]) {
    const { blocks } = typed(text);
    expect(blocks.map((block) => (fits(block) ? null : fits.errors))).toEqual([null]);
  }
  expect(typed("2 < 3 * 4 * 5 at 12:30:45").blocks).toMatchObject([
    { elements: [{ elements: [{ type: "text", text: "2 < 3 * 4 * 5 at 12:30:45" }] }] },
  ]);
  expect(typed(" ").blocks).toEqual([]);
});
