/** A support forum: one post is one conversation, with a first answer, tags, and an end. */

import { describe, expect, it } from "vitest";
import { judged, told } from "../rig.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const footerOf = (rig: DiscordRig, thread: string) => {
  const found = rig.fake.world
    .messages(thread)
    .findLast(({ components }) => JSON.stringify(components).includes("parley_solved"));
  return { channel: thread, id: found?.id ?? "" };
};

const community = {
  guilds: [
    {
      name: "Community",
      channels: [
        { name: "general" },
        { name: "help", kind: "forum" as const, tags: ["Triage", "Solved"] },
        { name: "ideas", kind: "forum" as const },
      ],
      members: [{ name: "alice" }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
    },
  ],
};

/** New posts of #help are answered unasked: what `npm start` reads from PARLEY_DISCORD_AUTO_ANSWER_FORUMS. */
const answering = async (): Promise<DiscordRig> => {
  const rig = await createRig({
    fake: community,
    bound: ["help", "ideas"],
    envOf: (fake) => ({ PARLEY_DISCORD_AUTO_ANSWER_FORUMS: fake.world.channelNamed("help").id }),
  });
  rig.fake.admin.giveRole("Community", "parley", "maintainer");
  return rig;
};

describe("a new post", () => {
  it("gets a first answer where that is switched on and nowhere else, and is left to people once one has answered", async () => {
    const rig = await answering();
    const silent = rig.fake.as("alice").ask("ideas", { name: "Idea", text: "Could it be blue?" });
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It does not start." });
    await rig.reads(post.channel, /Answer 1\.[^]*\[Solved\] \[Ask a maintainer\]/);
    rig.fake.as("bob").say(post.channel, "Did you try npm install?");
    rig.fake.as("alice").say(post.channel, "I did.");
    await rig.reads(post.channel, /@alice>? Several people write/);
    rig.fake.as("bob").say(post.channel, "@parley what else?");
    const text = await rig.reads(post.channel, /Answer 2\./);
    expect(told(rig.asked[1])).toMatch(/npm install[^]*what else\?/);
    expect(text.match(/Several people write/g)).toHaveLength(1);
    expect(rig.asked).toHaveLength(2);
    expect(rig.fake.asText(silent.channel)).not.toContain("parley (bot)");
    expect(rig.fake.violations).toEqual([]);
  });

  it("begins in the work mode that a tag of it names", async () => {
    const rig = await answering();
    const post = rig.fake.as("alice").ask("help", { name: "Bug", text: "It crashes.", tags: ["Triage"] });
    await rig.reads(post.channel, /tricted[^·\n]* · [[`<]/);
    const [one] = rig.bot.list(1, null);
    expect(one?.state.mode).toBe("triage");
  });
});

describe("Solved", () => {
  it("is for whoever asked and for maintainers: the post gets the tag and is closed, and whoever writes opens it", async () => {
    const rig = await answering();
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It does not start." });
    await rig.reads(post.channel, /\[Solved\]/);
    rig.fake.as("bob").click(footerOf(rig, post.channel), "Solved");
    await rig.reads(post.channel, /only for @bob\).*\nOnly the person who asked/);
    rig.fake.as("alice").click(footerOf(rig, post.channel), "Solved");
    await rig.reads(post.channel, /Marked as solved by @alice/);
    const closed = () => rig.fake.world.channelNamed(post.channel);
    await expect.poll(closed).toMatchObject({ archived: true, locked: false });
    const solved = rig.fake.world.channelNamed("help");
    const tag = solved.kind === "thread" ? undefined : solved.tags.find(({ name }) => name === "Solved")?.id;
    expect(closed()).toMatchObject({ tags: [tag] });
    // The platform is asked first: what it refuses is not kept.
    const solvedBy = () => judged(rig);
    await expect.poll(solvedBy).toMatchObject([{ up: 0, down: 0, solved: expect.any(Number) }]);
    rig.fake.as("alice").say(post.channel, "@parley and again?");
    await rig.reads(post.channel, /Answer 2\./);
    expect(rig.fake.violations).toEqual([]);
  });

  it("says what is missing where the app may not close posts", async () => {
    const rig = await createRig({ fake: community, bound: ["help"] });
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "@parley it does not start." });
    await rig.reads(post.channel, /\[Solved\]/);
    rig.fake.as("alice").click(footerOf(rig, post.channel), "Solved");
    await rig.reads(post.channel, /only for @alice\).*\n.*Manage Threads/);
  });
});

describe("a post that a moderator locked", () => {
  it.each(["Solved", "Ask a maintainer"])(
    "is not written to by %s, although the app may manage threads",
    async (label) => {
      const rig = await answering();
      const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It does not start." });
      await rig.reads(post.channel, /\[Solved\]/);
      const at = footerOf(rig, post.channel);
      rig.fake.as("maria").lock(post.channel);
      rig.fake.as("alice").click(at, label);
      const text = await rig.reads(post.channel, /only for @alice\).*\nThis post is locked/);
      expect(text).not.toMatch(/Marked as solved|asks for a maintainer/);
      expect(rig.fake.world.channelNamed(post.channel)).toMatchObject({ archived: false });
      expect(rig.fake.violations).toEqual([]);
    },
  );
});

describe("Ask a maintainer", () => {
  it("calls the roles that manage the server, once", async () => {
    const rig = await createRig({ fake: community, bound: ["help"] });
    rig.fake.admin.openRole("Community", "maintainer");
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "@parley it does not start." });
    await rig.reads(post.channel, /\[Ask a maintainer\]/);
    rig.fake.as("bob").click(footerOf(rig, post.channel), "Ask a maintainer");
    await rig.reads(post.channel, /asks for a maintainer here/);
    const call = rig.fake.world
      .messages(post.channel)
      .find(({ components }) => JSON.stringify(components).includes("asks for a maintainer"));
    const role = [...rig.fake.world.guildNamed("Community").roles.values()].find(
      ({ name }) => name === "maintainer",
    );
    expect(call?.mentions).toEqual({ users: [], roles: [role?.id], everyone: false });
    rig.fake.as("alice").click(footerOf(rig, post.channel), "Ask a maintainer");
    await rig.reads(post.channel, /only for @alice\).*\n.*already been notified here/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("WD7 says that nobody was called if Discord notifies no role of those who could help", async () => {
    const rig = await createRig({ fake: community, bound: ["help"] });
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "@parley it does not start." });
    await rig.reads(post.channel, /\[Ask a maintainer\]/);
    rig.fake.as("bob").click(footerOf(rig, post.channel), "Ask a maintainer");
    const text = await rig.reads(
      post.channel,
      /only for @bob\).*\nNobody was notified: Discord does not let me/,
    );
    expect(text).not.toContain("asks for a maintainer here");
    rig.fake.admin.openRole("Community", "maintainer");
    rig.fake.as("bob").click(footerOf(rig, post.channel), "Ask a maintainer");
    await rig.reads(post.channel, /asks for a maintainer here/);
    expect(rig.fake.violations).toEqual([]);
  });
});
