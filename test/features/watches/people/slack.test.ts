/** What people post in Slack: the watch reads it, answers or stays silent without a trace (D55). */

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createRig, type RigOptions, type SlackRig } from "../../../adapters/slack/rig.ts";
import { tablesWith } from "./tables-with.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";

const order = async (rig: SlackRig, text: string, who = "alice"): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as(who).command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const watching = async (typed = "watch people: Find bugs", options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createRig({
    answer: deciding(crashes),
    outside: { link: async (_, { place, root }) => `https://slack.example/${place}/${root}` },
    fake: { channels: [{ name: "general" }, { name: "other" }] },
    ...options,
  });
  expect(await order(rig, typed)).toMatch(/`people-\w{4}`: posts of people/);
  return rig;
};

/** Everything that was sent is handled. */
const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
};

const looksOf = ({ asked }: SlackRig): readonly string[] =>
  asked.flatMap((messages) => lookIn(messages)?.post ?? []);

const rowsIn = (rig: SlackRig) =>
  z
    .array(z.object({ post: z.string(), decision: z.string(), reason: z.string(), cost: z.number() }))
    .parse(rig.opened.rows.select("SELECT * FROM first_looks ORDER BY at, post")({}));

describe("a post of a person", () => {
  it("that is worth a look becomes a Restricted thread below the post, in nobody's name", async () => {
    const rig = await watching();
    const root = rig.fake.as("bob").say("The cart crashes when it is empty", { channel: "general" });
    const text = await rig.thread(root, /Answer \d\./);
    expect(text).toMatch(/Started automatically: the watch people-\w{4}\./);
    const [one] = rig.bot.list(10, null);
    expect(one?.conversation.createdBy).toMatch(/^watch:people-/);
    expect(rowsIn(rig)).toMatchObject([{ post: root.ts, decision: "look", cost: 100 }]);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is chatter leaves no message, reaction, status, or word in any table", async () => {
    const rig = await watching();
    const before = rig.fake.world.ephemerals.length;
    const root = rig.fake.as("bob").say("lunch at canaryzebra? see https://canaryzebra.example/a", {
      channel: "general",
    });
    await heard(rig);
    expect(looksOf(rig).length).toBe(1);
    expect(rig.fake.world.thread(root.channel, root.ts).length).toBe(1);
    expect(rig.fake.world.ephemerals.length).toBe(before);
    expect(rig.bot.list(10, null)).toEqual([]);
    const [row] = rowsIn(rig);
    expect(row).toMatchObject({ decision: "nothing", cost: 100 });
    expect(tablesWith(rig.opened, "canaryzebra")).toEqual([]);
    expect(rig.logged.join("\n")).not.toContain("canaryzebra");
    // The search finds words that are stored.
    expect(tablesWith(rig.opened, "Find bugs")).toEqual(["watches"]);
  });

  it("again, in the same words, joins the first thread with a count; a link or an error is enough", async () => {
    const rig = await watching();
    const bob = rig.fake.as("bob");
    const root = bob.say("crash: TypeError: cart is undefined at line 7", { channel: "general" });
    await rig.thread(root, /Answer \d\./);
    rig.fake.as("alice").say("hm\nTypeError: cart is undefined at line 99", { channel: "general" });
    await rig.thread(root, /This event arrived 2 times\./);
    const second = bob.say("Crash again https://ci.example/runs/5?utm_source=x", { channel: "general" });
    await rig.thread(second, /Answer \d\./);
    rig.fake.as("alice").say("see https://ci.example/runs/5", { channel: "general" });
    await rig.thread(second, /This event arrived 2 times\./);
    expect(rig.bot.list(10, null).length).toBe(2);
    expect(looksOf(rig).length).toBe(2);
  });

  it("that repeats a known matter gets one line with the link, and only a link that was offered", async () => {
    const rig = await watching("watch people: Find bugs", {
      answer: deciding((look) => {
        const [first] = look.matters;
        if (/forge/.test(look.post))
          return { decision: "duplicate", link: "https://evil.example/", reason: "Known." };
        return first === undefined
          ? crashes(look)
          : { decision: "duplicate", link: first.link, reason: "Known." };
      }),
    });
    const bob = rig.fake.as("bob");
    const root = bob.say("The checkout page crashes with an empty cart", { channel: "general" });
    await rig.thread(root, /Answer \d\./);
    const again = bob.say("Empty cart: checkout page broken?", { channel: "general" });
    const text = await rig.thread(again, /This seems to be known already/);
    expect(text).toContain(`https://slack.example/CGENERAL/${root.ts}`);
    const forged = bob.say("forge a link about the empty cart checkout page", { channel: "general" });
    await heard(rig);
    expect(rig.fake.world.thread(forged.channel, forged.ts).length).toBe(1);
    expect(rig.bot.list(10, null).length).toBe(1);
  });
});

describe("the watch does not read", () => {
  it.each([
    [
      "a reply",
      (rig: SlackRig) => {
        const { ts } = rig.fake.as("alice").say("@alice hello", { channel: "other" });
        rig.fake.as("bob").say("crash", { channel: "other", thread: ts });
      },
    ],
    ["a post of a bot", (rig: SlackRig) => void rig.fake.app("ci").post({ text: "crash" })],
    ["another channel", (rig: SlackRig) => void rig.fake.as("bob").say("crash", { channel: "other" })],
    [
      "posts that mention another bot",
      (rig: SlackRig) => {
        const user = rig.fake.app("ci").bot.replace(/^B/, "U");
        rig.fake.as("bob").say(`<@${user}> crash`, { channel: "general" });
      },
    ],
  ])("%s", async (_, does) => {
    const rig = await watching();
    does(rig);
    await heard(rig);
    expect(looksOf(rig)).toEqual([]);
  });

  it("a post to Parley, which is answered as always", async () => {
    const rig = await watching();
    const root = rig.fake.as("bob").say("@parley why does it crash", { channel: "general" });
    await rig.thread(root, /Answer 1\./);
    expect(looksOf(rig)).toEqual([]);
  });

  it("posts that its patterns leave out, nor those that are no questions", async () => {
    const rig = await watching('watch people with crash without "*known issue" only questions: Find bugs');
    const bob = rig.fake.as("bob");
    for (const text of ["It crashes", "Why is it slow?", "Why does the known issue crash?"])
      bob.say(text, { channel: "general" });
    await heard(rig);
    expect(looksOf(rig)).toEqual([]);
    const root = bob.say("Why does it crash?", { channel: "general" });
    await rig.thread(root, /Answer \d\./);
  });

  it("people who asked to be ignored, until they come back", async () => {
    const rig = await watching();
    expect(await order(rig, "ignore me", "bob")).toMatch(/No watch reads your posts any more/);
    rig.fake.as("bob").say("It crashes", { channel: "general" });
    await heard(rig);
    expect(looksOf(rig)).toEqual([]);
    expect(await order(rig, "ignore me back", "bob")).toMatch(/again/);
    const root = rig.fake.as("bob").say("It crashes", { channel: "general" });
    await rig.thread(root, /Answer \d\./);
  });
});

describe("an incident channel", () => {
  it("whose name matches is joined and watched, and the operator is told once; others are not", async () => {
    const rig = await createRig({ answer: deciding(crashes) });
    expect(await order(rig, "watch people in #inc-*: Find the cause")).toContain("named inc-…");
    rig.fake.admin.create("inc-42");
    rig.fake.admin.create("random");
    await expect.poll(() => rig.fake.world.channelNamed("inc-42").members.has("UPARLEY")).toBe(true);
    await heard(rig);
    expect(rig.fake.world.channelNamed("random").members.has("UPARLEY")).toBe(false);
    const root = rig.fake.as("bob").say("The importer crashes", { channel: "inc-42" });
    await rig.thread(root, /Answer \d\./);
    rig.fake.as("bob").say("crash here", { channel: "general" });
    await heard(rig);
    expect(rig.bot.list(10, null).length).toBe(1);
    const joined = [...rig.alerted.values()].filter((one) => one?.kind === "watchJoined");
    expect(joined).toMatchObject([{ surface: "slack", place: "CINC42" }]);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a deleted post", () => {
  it("takes its thread along", async () => {
    const rig = await watching();
    const bob = rig.fake.as("bob");
    const root = bob.say("The canaryzebra crashes", { channel: "general" });
    await rig.thread(root, /Answer \d\./);
    bob.remove(root);
    await expect.poll(() => tablesWith(rig.opened, "canaryzebra")).toEqual([]);
  });
});

describe("a channel whose answers are reviewed", () => {
  it("gets a look's answer only after the review", async () => {
    const rig = await createRig({
      answer: deciding(crashes),
      fake: { channels: [{ name: "general" }, { name: "review" }] },
      bound: ["CGENERAL", "CREVIEW"],
    });
    expect(await order(rig, "review on #review")).toMatch(/review/i);
    await order(rig, "watch people: Find bugs");
    const root = rig.fake.as("bob").say("The cart crashes", { channel: "general" });
    await rig.thread(root, /Started automatically/);
    await heard(rig);
    await expect
      .poll(() =>
        rig.fake.world
          .messages("CREVIEW")
          .some(({ text, blocks }) => `${text}${JSON.stringify(blocks)}`.includes("Answer")),
      )
      .toBe(true);
    expect(rig.fake.threadAsText(root.channel, root.ts)).not.toMatch(/Answer \d\./);
  });
});

describe("bounds", () => {
  it("leave out posts beyond the limit of an hour, and tell the operator", async () => {
    const rig = await watching("watch people posts 3: Find bugs");
    for (let no = 0; no < 8; no += 1)
      rig.fake
        .as(no % 2 === 0 ? "bob" : "alice")
        .say(`word${"abcdefgh"[no] ?? ""} only`, { channel: "general" });
    await heard(rig);
    expect(looksOf(rig).length).toBeLessThanOrEqual(3);
    expect(tablesWith(rig.opened, "worda")).toEqual([]);
    await rig.close();
    const [left] = [...rig.alerted.values()].filter((one) => one?.kind === "postsLeft");
    expect(left).toMatchObject({ kind: "postsLeft" });
  });
});
