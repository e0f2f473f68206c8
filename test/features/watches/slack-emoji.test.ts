/** An emoji that a person adds to a message on Slack asks about that message for that person, once. */

import { describe, expect, it } from "vitest";
import { told } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";

const order = async (rig: SlackRig, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const watching = async (emoji = ":mag:", options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createRig(options);
  expect(await order(rig, `watch emoji ${emoji} Find the cause`)).toMatch(/^`emoji-\w{4}`: the emoji :/);
  return rig;
};

const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => chat.unhandled("slack")).toEqual([]);
};

/** Stored removals, and whether they still wait to be handled. */
const removals = ({ opened }: SlackRig) =>
  opened.rows.select("SELECT body IS NOT NULL AS waits FROM inbox WHERE id LIKE 'unreacted/%'")({});

const bug = (rig: SlackRig) => rig.fake.as("bob").say("Uploads fail with 413", { channel: "general" });

describe("the emoji of a watch on a message", () => {
  it("asks about the message, in its thread, for the person who added the emoji", async () => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("carol").react(root, "mag");
    const text = await rig.thread(root, /Answer 1\./);
    expect(text).toMatch(/carol asks:[^]*Find the cause[^]*Answer 1\./);
    expect(told(rig.asked[0])).toMatch(/Uploads fail with 413[^]*Find the cause/);
    expect(rig.bot.list(10, null)[0]?.conversation.createdBy).toBe("slack:UCAROL");
    expect(rig.fake.violations).toEqual([]);
  });

  it.each([
    ["a skin tone", ":wave:", "wave::skin-tone-4"],
    ["a custom emoji", ":acme-look:", "acme-look"],
    ["another name of the emoji", ":thumbsup:", "+1"],
  ])("counts with %s", async (_, emoji, reaction) => {
    const rig = await watching(emoji);
    const root = bug(rig);
    rig.fake.as("carol").react(root, reaction);
    await rig.thread(root, /Answer 1\./);
  });

  it("has the rights of the person who added it: a guest is refused in private, then a member asks", async () => {
    const users = [{ name: "alice", role: "owner" as const }, { name: "bob" }, { name: "carol" }];
    const rig = await watching(":mag:", { fake: { users: [...users, { name: "gus", role: "guest" }] } });
    const root = bug(rig);
    rig.fake.as("gus").react(root, "mag");
    await expect.poll(() => rig.fake.world.ephemerals.at(-1)?.for).toBe("UGUS");
    expect(rig.bot.list(10, null)).toEqual([]);
    rig.fake.as("carol").react(root, "mag");
    expect(await rig.thread(root, /Answer 1\./)).not.toContain("gus asks");
  });

  it("of three people makes one thread and one turn", async () => {
    const rig = await watching();
    const root = bug(rig);
    for (const name of ["carol", "alice", "bob"]) rig.fake.as(name).react(root, "mag");
    await rig.thread(root, /Answer 1\./);
    await heard(rig);
    rig.fake.as("alice").unreact(root, "mag");
    rig.fake.as("alice").react(root, "mag");
    await heard(rig);
    expect([rig.bot.list(10, null).length, rig.asked.length]).toEqual([1, 1]);
  });

  it("on a reply asks in the thread of the reply", async () => {
    const rig = await watching();
    const root = bug(rig);
    const reply = rig.fake.as("carol").say("same here", { channel: "general", thread: root.ts });
    rig.fake.as("carol").react(reply, "mag");
    await rig.thread(root, /same here[^]*carol asks:[^]*Answer 1\./);
  });

  it("that is removed before the turn starts asks nothing; added again it asks", async () => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("carol").react(root, "mag");
    rig.fake.as("carol").unreact(root, "mag");
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
    rig.fake.as("carol").react(root, "mag");
    await rig.thread(root, /Answer 1\./);
  });

  it("that somebody else removes still asks", async () => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("bob").react(root, "mag");
    rig.fake.as("carol").react(root, "mag");
    rig.fake.as("bob").unreact(root, "mag");
    expect(await rig.thread(root, /Answer 1\./)).toContain("carol asks:");
  });

  it.each(["in the same process", "over a restart"])(
    "that was removed asks nothing if Slack reports the removal first, %s",
    async (when) => {
      const rig = await watching();
      const root = bug(rig);
      const gate = rig.fake.gate();
      rig.fake.deliveryFault({ kind: "hold", gate: gate.gate }, { match: { event: "reaction_added" } });
      rig.fake.as("carol").react(root, "mag");
      await gate.reached;
      rig.fake.as("carol").unreact(root, "mag");
      await expect.poll(() => removals(rig)).toEqual([{ waits: 0 }]);
      const next = when === "over a restart" ? await rig.restart() : rig;
      gate.open();
      await heard(next);
      expect(next.bot.list(10, null)).toEqual([]);
      rig.fake.as("carol").react(root, "mag");
      await next.thread(root, /Answer 1\./);
    },
  );

  it("asks once over a restart in between", async () => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("carol").react(root, "mag");
    await expect.poll(() => rig.chat.unhandled("slack").length).toBe(1);
    const next = await rig.restart();
    await next.thread(root, /Answer 1\./);
    await heard(next);
    expect(next.bot.list(10, null).length).toBe(1);
  });
});

const limited = async (limit: string, options: RigOptions = {}) => {
  const rig = await watching(":mag:", options);
  const [, id = ""] = /`(emoji-\w{4})`/.exec(await order(rig, "watches")) ?? [];
  await order(rig, `watch ${id} limit ${limit}`);
  const first = bug(rig);
  rig.fake.as("carol").react(first, "mag");
  await rig.thread(first, /Answer 1\./);
  await heard(rig);
  return { rig, first };
};

const notes = ({ fake }: SlackRig) =>
  fake.world.ephemerals.filter((one) => one.for === "UCAROL").map(({ text }) => text);

describe("the limits of the watch", () => {
  it("leave out a further thread of the hour, and say so to the person alone", async () => {
    const { rig, first } = await limited("1 2");
    const second = rig.fake.as("bob").say("Downloads fail too", { channel: "general" });
    rig.fake.as("carol").react(second, "mag");
    await expect.poll(() => notes(rig).join()).toContain("its limit of threads an hour");
    await heard(rig);
    expect(rig.bot.list(10, null)).toHaveLength(1);
    expect(rig.fake.world.thread(second.channel, second.ts)).toHaveLength(1);
    // A thread that exists is no further one.
    const reply = rig.fake.as("bob").say("and here", { channel: "general", thread: first.ts });
    rig.fake.as("carol").react(reply, "mag");
    await rig.thread(first, /Answer 2\./);
  });

  it("count after a restart", async () => {
    const { rig } = await limited("1 2");
    const next = await rig.restart();
    next.fake.as("carol").react(bug(next), "mag");
    await expect.poll(() => notes(next).join()).toContain("its limit of threads an hour");
    expect(next.bot.list(10, null)).toHaveLength(1);
  });

  it("allow threads below the limit", async () => {
    const { rig } = await limited("2 2");
    const second = bug(rig);
    rig.fake.as("carol").react(second, "mag");
    await rig.thread(second, /Answer 2\./);
    expect(await order(rig, "watches")).toMatch(/at most 2 threads an hour/);
  });
});

describe("nothing is asked", () => {
  it.each([
    ["by another emoji", (rig: SlackRig) => rig.fake.as("carol").react(bug(rig), "eyes")],
    [
      "in another channel",
      (rig: SlackRig) =>
        rig.fake.as("carol").react(rig.fake.as("bob").say("hi", { channel: "other" }), "mag"),
    ],
  ])("%s", async (_, act) => {
    const rig = await watching(":mag:", { fake: { channels: [{ name: "general" }, { name: "other" }] } });
    act(rig);
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
  });

  it("once the watch is paused", async () => {
    const rig = await watching();
    const [, id = ""] = /`(emoji-\w{4})`/.exec(await order(rig, "watches")) ?? [];
    await order(rig, `watch ${id} pause`);
    rig.fake.as("carol").react(bug(rig), "mag");
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
  });
});

it("a watch takes an emoji that it can hear, with a task", async () => {
  const rig = await watching();
  expect(await order(rig, "watch emoji :mag: Again")).toMatch(/`emoji-\w{4}` already has that emoji here/);
  expect(await order(rig, "watch emoji :x: Stop")).toContain(":x: stops a turn");
  expect(await order(rig, "watch emoji 🦑 Look")).toContain("I do not know this emoji");
  expect(await order(rig, "watch emoji :eyes:")).toContain("Write the task after the emoji");
});
