/** What people post on Discord: top-level messages, and first messages of forum posts (D55). */

import { describe, expect, it } from "vitest";
import { createRig, type DiscordRig, type RigOptions } from "../../../adapters/discord/rig.ts";
import { watchingOf } from "../watching.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { PEOPLE_SOURCE } from "./scene.ts";
import { tablesWith } from "./tables-with.ts";

const WITH_FORUM = {
  name: "Community",
  channels: [{ name: "general" }, { name: "help", kind: "forum" as const }],
  members: [{ name: "bob" }, { name: "maria", roles: ["maintainer"] }],
};

const watching = async (place = "general", options: RigOptions = {}): Promise<DiscordRig> => {
  const rig = await createRig({ answer: deciding(crashes), ...options });
  const said = await rig.run("maria", place, "parley watch", { what: "people: Find bugs" });
  expect(said).toContain("posts of people");
  expect(said).toContain("`/parley ignore me` excludes yours");
  return rig;
};

const asking = async (answer: NonNullable<RigOptions["answer"]> = deciding(crashes)): Promise<DiscordRig> => {
  const rig = await createRig({ answer, fake: { guilds: [WITH_FORUM] } });
  const place = rig.fake.world.channelNamed("help").id;
  const source = { ...PEOPLE_SOURCE, postsPerHour: 60 };
  const order = { surface: "discord", place, source, name: "noticed", mode: null } as const;
  const added = await watchingOf(rig).book.add({ ...order, instructions: "Find bugs", by: "discord:1" });
  expect(added).toMatchObject({ kind: "done" });
  return rig;
};

/** Everything that was sent is handled. */
const heard = async (rig: DiscordRig): Promise<void> => {
  // The gateway tells in order.
  await rig.run("bob", "general", "parley help");
  await expect.poll(() => [...rig.chat.unhandled("discord"), ...rig.chat.unhandled("watch")]).toEqual([]);
};

const looksOf = ({ asked }: DiscordRig): readonly string[] =>
  asked.flatMap((messages) => lookIn(messages)?.post ?? []);

describe("a post of a person", () => {
  it("that is worth a look becomes a thread on the post, in nobody's name", async () => {
    const rig = await watching();
    const { id } = rig.fake.as("bob").say("general", "The cart crashes when it is empty");
    await rig.reads(id, /Started automatically: the watch people-\w{4}\.[^]*Answer \d\./);
    expect(rig.bot.list(10, null)[0]?.conversation.createdBy).toMatch(/^watch:people-/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is chatter leaves no thread", async () => {
    const rig = await watching();
    const { id } = rig.fake.as("bob").say("general", "lunch?");
    await heard(rig);
    expect(looksOf(rig)).toEqual(["lunch?"]);
    expect(rig.fake.world.channels.has(id)).toBe(false);
    expect(rig.bot.list(10, null)).toEqual([]);
  });

  it("that came while the host was down is read by the next, once", async () => {
    const rig = await watching();
    await rig.close();
    const { id } = rig.fake.as("bob").say("general", "crash of the importer");
    const next = await rig.restart();
    await next.reads(id, /Answer \d\./);
    const last = await next.restart();
    await heard(last);
    expect(last.bot.list(10, null).length).toBe(1);
  });

  it("takes its thread along when it is deleted", async () => {
    const rig = await watching();
    const bob = rig.fake.as("bob");
    const post = bob.say("general", "The canaryzebra crashes");
    await rig.reads(post.id, /Answer \d\./);
    bob.remove(post);
    await expect
      .poll(() => JSON.stringify(rig.opened.rows.select("SELECT event FROM watch_threads")({})))
      .not.toContain("canaryzebra");
    await heard(rig);
    expect(JSON.stringify(rig.opened.rows.select("SELECT words FROM messages")({}))).not.toContain(
      "canaryzebra",
    );
  });
});

describe("a post in a forum", () => {
  it("is read from its own thread, which gets the look", async () => {
    const rig = await asking();
    const { channel } = rig.fake.as("bob").ask("help", { name: "Cart", text: "The cart crashes" });
    await rig.reads(channel, /Started automatically[^]*Answer \d\./);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is deleted with its thread during the look leaves nothing", async () => {
    const gate = Promise.withResolvers<void>();
    const decide = deciding(crashes);
    const rig = await asking(async (messages, no) => {
      await gate.promise;
      return decide(messages, no);
    });
    const post = rig.fake.as("bob").ask("help", { name: "Cart", text: "The zebracat crashes" });
    await expect.poll(() => looksOf(rig).length).toBe(1);
    rig.fake.as("bob").remove(post);
    gate.resolve();
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
    expect(tablesWith(rig.opened, "zebracat")).toEqual([]);
  });
});

describe("the watch does not read", () => {
  it("replies in threads, posts that mention another bot, or posts of bots", async () => {
    const rig = await watching();
    const { id } = rig.fake.app("ci");
    rig.fake.as("bob").say("general", `<@${id}> crash`);
    rig.fake.app("ci").post("general", { embeds: [{ type: "rich", description: "crash" }] });
    await heard(rig);
    expect(looksOf(rig)).toEqual([]);
  });

  it("people who asked to be ignored", async () => {
    const rig = await watching();
    expect(await rig.run("bob", "general", "parley ignore", { who: "me" })).toContain(
      "No watch reads your posts",
    );
    rig.fake.as("bob").say("general", "crash");
    await heard(rig);
    expect(looksOf(rig)).toEqual([]);
  });

  it("new channels by name, which Slack alone tells", async () => {
    const rig = await createRig();
    expect(
      await rig.run("maria", "general", "parley watch", { what: "people in #inc-*: Find bugs" }),
    ).toContain("Only Slack");
  });
});
