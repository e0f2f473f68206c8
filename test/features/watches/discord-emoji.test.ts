/** An emoji that a person adds to a message on Discord asks about that message for that person, once. */

import { describe, expect, it } from "vitest";
import { told } from "../../adapters/rig.ts";
import { createRig, type DiscordRig, type RigOptions } from "../../adapters/discord/rig.ts";

const SHIP = "<:ship:123456789012345678>";

const watching = async (emoji = "🔍", options: RigOptions = {}): Promise<DiscordRig> => {
  const rig = await createRig(options);
  const said = await rig.run("maria", "general", "parley watch", { what: `emoji ${emoji} Find the cause` });
  expect(said).toMatch(/^`emoji-\w{4}`: the emoji /);
  return rig;
};

/** Everything that was sent is handled. */
const heard = async (rig: DiscordRig): Promise<void> => {
  // The gateway tells in order.
  await rig.run("bob", "general", "parley help");
  await expect.poll(() => rig.chat.unhandled("discord")).toEqual([]);
};

const bug = (rig: DiscordRig) => rig.fake.as("bob").say("general", "Uploads fail with 413");

describe("the emoji of a watch on a message", () => {
  it.each([
    ["as a character", "🔍", "🔍", false],
    ["by its name", ":mag:", "🔍", false],
    ["with a skin tone", "👋", "👋🏽", false],
    ["as a super reaction", "🔍", "🔍", true],
    ["as a custom emoji", SHIP, SHIP, false],
  ])(
    "%s asks for the person who added it, in a thread on the message",
    async (_, watched, added, isBurst) => {
      const rig = await watching(watched);
      const root = bug(rig);
      rig.fake.as("alice").react(root, added, isBurst);
      const text = await rig.reads(root.id, /Answer 1\./);
      expect(text).toMatch(/Find the cause\s+asked by @alice/);
      expect(told(rig.asked[0])).toMatch(/Uploads fail with 413[^]*Find the cause/);
      expect(rig.bot.list(10, null)[0]?.conversation.createdBy).toBe(`discord:${rig.fake.as("alice").id}`);
      expect(rig.fake.violations).toEqual([]);
    },
  );

  it("has the rights of the person who added it", async () => {
    const rig = await watching();
    const rightsAfter = async (name: string): Promise<boolean | undefined> => {
      const root = bug(rig);
      rig.fake.as(name).react(root, "🔍");
      await rig.reads(root.id, /Answer \d\./);
      const newest = rig.bot.list(1, null)[0]?.conversation.id;
      return newest === undefined ? undefined : (await rig.bot.read(newest))?.state.turn.speaker?.mayDrive;
    };
    expect(await rightsAfter("alice")).toBe(false);
    expect(await rightsAfter("maria")).toBe(true);
  });

  it("of three people makes one thread and one turn", async () => {
    const rig = await watching();
    const root = bug(rig);
    for (const name of ["alice", "maria", "bob"]) rig.fake.as(name).react(root, "🔍");
    await rig.reads(root.id, /Answer 1\./);
    await heard(rig);
    expect([rig.bot.list(10, null).length, rig.asked.length]).toEqual([1, 1]);
  });

  it("in a thread asks there", async () => {
    const rig = await watching();
    const root = bug(rig);
    const thread = rig.fake.as("bob").openThread("general", "Uploads", { from: root.id });
    const reply = rig.fake.as("alice").say(thread, "same here");
    rig.fake.as("alice").react(reply, "🔍");
    await rig.reads(thread, /same here[^]*asked by @alice[^]*Answer 1\./);
  });

  it.each([
    ["its person", (rig: DiscordRig, root: Spot) => rig.fake.as("alice").unreact(root, "🔍")],
    ["a moderator, all of the message", (rig: DiscordRig, root: Spot) => clear(rig, root)],
    ["a moderator, all of the emoji", (rig: DiscordRig, root: Spot) => clear(rig, root, "🔍")],
  ])("that is removed before the turn starts, by %s, asks nothing", async (_, remove) => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("alice").react(root, "🔍");
    remove(rig, root);
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
    rig.fake.as("alice").react(root, "🔍");
    await rig.reads(root.id, /Answer 1\./);
  });

  it("is not withdrawn by another emoji", async () => {
    const rig = await watching();
    const root = bug(rig);
    rig.fake.as("alice").react(root, "👀");
    rig.fake.as("alice").react(root, "🔍");
    rig.fake.as("alice").unreact(root, "👀");
    await rig.reads(root.id, /Answer 1\./);
  });
});

it.each([
  ["by another emoji", (rig: DiscordRig) => rig.fake.as("alice").react(bug(rig), "👀")],
  [
    "in another channel",
    (rig: DiscordRig) => rig.fake.as("alice").react(rig.fake.as("bob").say("other", "hi"), "🔍"),
  ],
])("nothing is asked %s", async (_, act) => {
  const rig = await watching();
  act(rig);
  await heard(rig);
  expect(rig.bot.list(10, null)).toEqual([]);
});

interface Spot {
  readonly channel: string;
  readonly id: string;
}

const clear = (rig: DiscordRig, root: Spot, emoji?: string): void =>
  rig.fake.as("maria").clearReactions(root, emoji);
