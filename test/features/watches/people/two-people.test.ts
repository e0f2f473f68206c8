/** What an author (bob) and a passer-by (carol) read in a watched channel where Parley mostly stays silent (D55). */

import { describe, expect, it } from "vitest";
import type { HostOptions } from "../../../adapters/rig.ts";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { plainThread } from "./plain.ts";
import { lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /These people know the code best\. I have not notified them\./;
const KNOWN = /This seems to be known already/;

/** A post whose matter the channel knows is a duplicate. */
const knowing: HostOptions["answer"] = deciding((look) => {
  const [first] = look.matters;
  return first === undefined
    ? crashes(look)
    : { decision: "duplicate", link: first.link, reason: "The channel has a thread about it." };
}, CITED);

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begin = (answer: HostOptions["answer"] = deciding(crashes, CITED)) =>
    lookScene(platform, PEOPLE_SOURCE, {
      answer,
      outside: { link: async (_, { root }) => `https://chat.example/${root}` },
    });

  const golden = (name: string) => `golden/${name}.${platform}.txt`;

  it("a duplicate gets one line with the link, and no thread of its own", async () => {
    const scene = await begin(knowing);
    const first = scene.post("bob", "The cart page crashes when it is empty");
    await scene.reads(first, END);
    const again = scene.post("carol", "Empty cart: is the cart page broken?");
    const text = await scene.reads(again, KNOWN);
    expect(text).toContain(`https://chat.example/${first}`);
    expect(text).toContain("[Not useful]");
    expect(scene.bot.list(10, null).length).toBe(1);
    expect(scene.notified()).toEqual([]);
    expect(scene.violations()).toEqual([]);
    await expect(plainThread(text)).toMatchFileSnapshot(golden("duplicate"));
  });

  it("chatter stays among people: the channel reads as without Parley", async () => {
    const scene = await begin();
    const root = scene.post("bob", "lunch?");
    scene.post("carol", "yes, in five minutes");
    await scene.heard();
    expect(scene.asked.length).toBe(2);
    expect(scene.text(root)).toBe("");
    expect(scene.bot.list(10, null)).toEqual([]);
    await expect(plainThread(scene.channel("general"))).toMatchFileSnapshot(golden("chatter"));
  });

  it("the post of a person who opted out leaves no trace; another person's similar post is answered", async () => {
    const scene = await begin();
    const said = await scene.order("bob", "ignore", { who: "me" });
    const own = scene.post("bob", "The canaryzebra cart crashes");
    await scene.heard();
    expect(scene.asked).toEqual([]);
    expect(scene.text(own)).toBe("");
    expect(scene.stored("canaryzebra")).toEqual([]);
    const other = scene.post("carol", "The cart crashes when it is empty");
    const text = await scene.reads(other, END);
    expect(text).not.toContain("canaryzebra");
    expect(scene.text(own)).toBe("");
    expect(scene.notified()).toEqual([]);
    await expect(
      plainThread(`[bob: /parley ignore me]\n${said}\n\n${scene.channel("general")}\n\n${text}`),
    ).toMatchFileSnapshot(golden("opt-out"));
  });
});

describe("an incident channel", () => {
  it("on Slack gets looks like the watch's own channel", async () => {
    const rig = await createSlackRig({ answer: deciding(crashes, CITED) });
    const { fake } = rig;
    const order = fake.as("alice").command("/parley", "watch people in #inc-*: Find the cause", "general");
    void order;
    await expect.poll(() => fake.world.ephemerals.at(-1)?.text ?? "").toContain("named inc-…");
    const said = fake.world.ephemerals.at(-1)?.text ?? "";
    fake.admin.create("inc-42");
    await expect.poll(() => fake.world.channelNamed("inc-42").members.has("UPARLEY")).toBe(true);
    const root = fake.as("bob").say("The importer crashes since 9:00", { channel: "inc-42" });
    await rig.thread(root, /File an issue/);
    fake.as("carol").say("same here", { channel: "inc-42", thread: root.ts });
    fake.as("carol").say("I am on it", { channel: "inc-42" });
    await fake.settled();
    await expect.poll(() => [...rig.chat.unhandled("slack"), ...rig.chat.unhandled("watch")]).toEqual([]);
    expect(rig.bot.list(10, null).length).toBe(1);
    expect(fake.violations).toEqual([]);
    const text = fake.threadAsText(root.channel, root.ts);
    await expect(
      plainThread(`[alice: /parley watch people in #inc-*: Find the cause]\n${said}\n\n${text}`),
    ).toMatchFileSnapshot("golden/incident.slack.txt");
  });

  it("on Discord is refused with a sentence", async () => {
    const rig = await createDiscordRig();
    const what = "people in #inc-*: Find the cause";
    const said = await rig.run("maria", "general", "parley watch", { what });
    expect(said).toContain("Only Slack");
    expect(await rig.run("maria", "general", "parley watches")).toContain("No watches in this channel");
    await expect(`[maria: /parley watch ${what}]\n${said}\n`).toMatchFileSnapshot(
      "golden/incident.discord.txt",
    );
  });
});

it("on Discord, Not useful below a duplicate makes the post an example, if its author says so", async () => {
  const scene = await lookScene("discord", PEOPLE_SOURCE, {
    answer: knowing,
    outside: { link: async (_, { root }) => `https://chat.example/${root}` },
  });
  await scene.reads(scene.post("bob", "The cart page crashes when it is empty"), END);
  const again = scene.post("carol", "Empty cart: is the cart page broken?");
  await scene.reads(again, KNOWN);
  scene.click(again, "bob", "Not useful");
  await expect.poll(() => scene.whispered("bob")).toMatch(/Only the author of the post/);
  scene.click(again, "carol", "Not useful");
  await expect.poll(() => scene.whispered("carol")).toMatch(/takes the post as an example/);
  scene.post("bob", "The list crashes too");
  await scene.heard();
  const examples = scene.asked.flatMap((messages) => lookIn(messages)?.examples ?? []);
  expect(examples).toEqual([{ post: "Empty cart: is the cart page broken?", decision: "nothing" }]);
});
