/** Options of `/parley watch people` as people type them on both platforms: `from` a role, working hours, the list, the topic. */

import { describe, expect, it } from "vitest";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";

interface Town {
  /** The role of ann, and not of bob, as people type the role. */
  readonly role: string;
  order(words: string, what?: string): Promise<string>;
  say(who: string, text: string): void;
  heard(): Promise<void>;
  posts(): readonly string[];
}

const onSlack = async (): Promise<Town> => {
  const users = [{ name: "alice", role: "owner" as const }, { name: "ann" }, { name: "bob" }];
  const rig = await createSlackRig({
    answer: deciding(crashes),
    fake: { users, groups: { S0SUPPORT: ["ann"] } },
  });
  const { fake, chat, asked } = rig;
  return {
    role: "<!subteam^S0SUPPORT|@support>",
    order: async (words, what = "") => {
      const before = fake.world.ephemerals.length;
      fake.as("alice").command("/parley", `${words} ${what}`.trim(), "general");
      await expect.poll(() => fake.world.ephemerals.length).toBeGreaterThan(before);
      return fake.world.ephemerals.at(-1)?.text ?? "";
    },
    say: (who, text) => void fake.as(who).say(text, { channel: "general" }),
    heard: async () => {
      await fake.settled();
      await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
    },
    posts: () => asked.flatMap((messages) => lookIn(messages)?.post ?? []),
  };
};

const onDiscord = async (): Promise<Town> => {
  const guild = {
    name: "Community",
    channels: [{ name: "general" }],
    members: [{ name: "ann", roles: ["support"] }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
  };
  const rig = await createDiscordRig({
    answer: deciding(crashes),
    fake: { guilds: [guild] },
    bound: ["general"],
  });
  const { fake, chat, asked } = rig;
  const roles = [...fake.world.guildNamed("Community").roles.values()];
  return {
    role: `<@&${roles.find(({ name }) => name === "support")?.id ?? ""}>`,
    order: (words, what) =>
      rig.run("maria", "general", `parley ${words}`, what === undefined ? {} : { what }),
    say: (who, text) => void fake.as(who).say("general", text),
    heard: async () => {
      await rig.run("bob", "general", "parley help");
      await expect.poll(() => [...chat.unhandled("discord"), ...chat.unhandled("watch")]).toEqual([]);
    },
    posts: () => asked.flatMap((messages) => lookIn(messages)?.post ?? []),
  };
};

describe.each([
  ["Slack", onSlack],
  ["Discord", onDiscord],
] as const)("on %s", (_, open) => {
  it("`from` a role reads posts of its members alone", async () => {
    const town = await open();
    expect(await town.order("watch", `people from ${town.role}: Find bugs`)).toContain("from the role");
    town.say("bob", "The list crashes");
    town.say("ann", "The cart crashes");
    await town.heard();
    expect(town.posts()).toEqual(["The cart crashes"]);
  });

  it("working hours are of the typed time zone; nothing is read outside of them", async () => {
    const town = await open();
    const hour = new Date().getUTCHours();
    const hours = hour < 12 ? "20-21" : "2-3";
    const said = await town.order("watch", `people hours ${hours} UTC: Find bugs`);
    expect(said).toContain(`from ${hours.replace("-", " to ")} o'clock (UTC)`);
    town.say("bob", "The cart crashes");
    await town.heard();
    expect(town.posts()).toEqual([]);
    expect(await town.order("watch", "people hours 9-17 Mars/Olympus: Find bugs")).toContain(
      "I did not understand",
    );
  });

  it("the answer suggests a topic, and `/parley watches` lists the watch with its bounds for everybody", async () => {
    const town = await open();
    const said = await town.order("watch", "people posts 5 looks 0.50: Find bugs");
    expect(said).toContain("I read at most 5 posts an hour");
    expect(said).toMatch(/in its topic: “Parley reads new posts here \(people-\w{4}\)/);
    expect(await town.order("watches")).toMatch(
      /`people-\w{4}`: posts of people; at most \d+ threads an hour/,
    );
  });
});
