/** WD11 A forum takes no plain message: what the host begins there is a post, with a tag if the forum asks for one. */

import { describe, expect, it } from "vitest";
import type { Thread } from "../../fakes/discord/world.ts";
import { createRig, type DiscordRig } from "./rig.ts";
import { watcherOf } from "../begun-by-itself.ts";

const ANSWERED = /tricted[^·\n]* · [[`<]/;

const withTags = (tags: readonly string[], requiresTag = true) => ({
  guilds: [
    {
      name: "Community",
      channels: [{ name: "general" }, { name: "help", kind: "forum" as const, tags, requiresTag }],
      members: [{ name: "alice" }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
    },
  ],
});

const postsIn = (rig: DiscordRig): readonly Thread[] =>
  [...rig.fake.world.channels.values()].filter(
    (one): one is Thread => one.kind === "thread" && one.owner === rig.fake.world.app.bot,
  );

const alert = {
  watch: "alerts",
  delivery: "1",
  fingerprint: "f",
  title: "Disk full",
  text: "It is full.",
  link: "https://mon.example/1",
  at: 1,
};

describe("WD11 in a forum", () => {
  it.each([
    { tags: ["bug", "question"], requiresTag: true },
    { tags: ["bug"], requiresTag: false },
  ])(
    "an event begins a post, with a tag only if one is required: $requiresTag",
    async ({ tags, requiresTag }) => {
      const rig = await createRig({ fake: withTags(tags, requiresTag) });
      const own = rig.fake.as("maria").ask("help", { name: "Watches", text: "For commands", tags: ["bug"] });
      await rig.run("maria", own.channel, "parley watch", { what: "hook alerts: Find the cause" });
      await watcherOf(rig).take(alert);
      await expect.poll(() => postsIn(rig).length).toBe(1);
      const [post] = postsIn(rig);
      await rig.reads(post?.id ?? "", /Started automatically: the watch alerts\.[^]*tricted[^·\n]* · [[`<]/);
      expect(post?.name).toContain("Disk full");
      expect(post?.tags).toHaveLength(requiresTag ? 1 : 0);
      expect(rig.fake.violations).toEqual([]);
    },
  );

  it("an event that is delivered again after a crash begins no second post", async () => {
    const rig = await createRig({ fake: withTags(["bug"]) });
    const own = rig.fake.as("maria").ask("help", { name: "Watches", text: "For commands", tags: ["bug"] });
    await rig.run("maria", own.channel, "parley watch", { what: "hook alerts: Find the cause" });
    const id = rig.fake.world.channelNamed("help").id;
    const line = { id: "watch once", text: "Begun.", words: "Disk full" };
    const first = await rig.discord.tell(id, line);
    expect(await rig.discord.tell(id, line)).toEqual(first);
    if (first.kind !== "put") throw new Error(first.why);
    expect(await rig.discord.tell(id, { ...line, text: "Begun twice.", edits: first.message })).toEqual(
      first,
    );
    expect(rig.fake.asText(first.message)).toContain("Begun twice.");
    expect(postsIn(rig)).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("a question by command is a post of its own, answered there", async () => {
    const rig = await createRig({ fake: withTags(["bug"]) });
    const own = rig.fake.as("bob").ask("help", { name: "Mine", text: "Only for people", tags: ["bug"] });
    await rig.run("bob", own.channel, "ask", { question: "why is the cart slow?" });
    await expect.poll(() => postsIn(rig).length).toBe(1);
    const [post] = postsIn(rig);
    expect(post?.name).toContain("why is the cart slow");
    await rig.reads(post?.id ?? "", ANSWERED);
    expect(rig.fake.violations).toEqual([]);
  });

  it("Solved adds its tag to four of a person, and takes away none of five", async () => {
    const tags = ["a", "b", "c", "d", "e", "solved"];
    const rig = await createRig({ fake: withTags(tags) });
    rig.fake.admin.giveRole("Community", "parley", "maintainer");
    for (const held of [tags.slice(0, 4), tags.slice(0, 5)]) {
      const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "@parley why?", tags: held });
      await rig.reads(post.channel, /\[Solved\]/);
      const before = rig.fake.world.channelNamed(post.channel) as Thread;
      const at = rig.fake.world
        .messages(post.channel)
        .find(({ components }) => JSON.stringify(components).includes("parley_solved"));
      rig.fake.as("alice").click({ channel: post.channel, id: at?.id ?? "" }, "Solved");
      await rig.reads(post.channel, /Marked as solved/);
      await expect.poll(() => rig.fake.world.channelNamed(post.channel)).toMatchObject({ archived: true });
      const after = rig.fake.world.channelNamed(post.channel) as Thread;
      expect(after.tags.slice(0, held.length)).toEqual(before.tags);
      expect(after.tags).toHaveLength(5);
    }
    expect(rig.fake.violations).toEqual([]);
  });
});
