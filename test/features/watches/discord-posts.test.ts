/** What apps post on Discord: of listed ones it begins threads on the post itself, once, and of no Parley (D45). */

import { describe, expect, it } from "vitest";
import { told } from "../../adapters/rig.ts";
import { type DiscordRig, createRig } from "../../adapters/discord/rig.ts";

/** As Sentry posts an issue: no content, all of it in an embed. */
const sentryPost = (issue: number, title = "TypeError") => ({
  embeds: [
    {
      type: "rich",
      title,
      url: `https://acme.sentry.io/issues/${issue}/?referrer=discord`,
      description: "cart.total is not a function",
      fields: [{ name: "environment", value: "production", inline: true }],
      footer: { text: "shop-1" },
    },
  ],
});

const watching = async (): Promise<DiscordRig> => {
  const rig = await createRig();
  const { id } = rig.fake.app("sentry");
  const said = await rig.run("maria", "general", "parley watch", { what: `app <@${id}>: Find the cause` });
  expect(said).toContain(`posts of the app ${id}`);
  return rig;
};

/** Everything that was sent is handled. */
const heard = async (rig: DiscordRig): Promise<void> => {
  // The gateway tells in order.
  await rig.run("bob", "general", "parley help");
  await expect.poll(() => [...rig.chat.unhandled("discord"), ...rig.chat.unhandled("watch")]).toEqual([]);
};

describe("the post of an app that is listed", () => {
  it("becomes a conversation in a thread on it, with what its embeds say", async () => {
    const rig = await watching();
    const { id: root } = rig.fake.app("sentry").post("general", sentryPost(7));
    const text = await rig.reads(root, /Started automatically: the watch app-\w{4}\.[^]*Answer 1\./);
    expect(text).toContain("I work for the person who wrote it");
    expect(rig.fake.world.channels.get(root)?.name).toBe("TypeError");
    const asked = told(rig.asked[0]);
    expect(asked).toContain("| cart.total is not a function");
    expect(asked).toContain("| environment: production");
    expect(asked).toContain("https://acme.sentry.io/issues/7/");
    expect(asked).toMatch(/\[Parley\] The message:\n\nFind the cause$/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("40 times makes one thread, whose first line of Parley's says how often", async () => {
    const rig = await watching();
    const { id: root } = rig.fake.app("sentry").post("general", sentryPost(7));
    for (let no = 1; no < 40; no += 1) rig.fake.app("sentry").post("general", sentryPost(7));
    await rig.reads(root, /This event arrived 40 times\.[^]*Answer 1\./);
    expect(rig.bot.list(10, null).length).toBe(1);
  });

  it("that came while the host was down is heard by the next, once", async () => {
    const rig = await watching();
    const { id: first } = rig.fake.app("sentry").post("general", sentryPost(7));
    await rig.reads(first, /Answer 1\./);
    await rig.close();
    const { id: missed } = rig.fake.app("sentry").post("general", sentryPost(8, "RangeError"));
    const next = await rig.restart();
    await next.reads(missed, /Answer 1\./);
    const last = await next.restart();
    await heard(last);
    expect(last.bot.list(10, null).length).toBe(2);
  });
});

describe("nothing is heard", () => {
  it.each([
    ["of an app that is not listed", (rig: DiscordRig) => rig.fake.app("ci").post("general", sentryPost(7))],
    [
      "in a channel that does not list it",
      (rig: DiscordRig) => rig.fake.app("sentry").post("other", sentryPost(7)),
    ],
    [
      "in the thread of a message",
      (rig: DiscordRig) =>
        rig.fake.app("sentry").post(rig.fake.as("bob").openThread("general", "Chat"), sentryPost(7)),
    ],
    [
      "of another Parley's line",
      (rig: DiscordRig) =>
        rig.fake.app("sentry").post("general", {
          components: [{ type: 10, id: 2 ** 29 + 5, content: "Started automatically" }],
        }),
    ],
    [
      "of what somebody asks another Parley",
      (rig: DiscordRig) =>
        rig.fake.app("sentry").post("general", { text: "> why?\nasked by <@123456789012345678>" }),
    ],
  ])("%s", async (_, post) => {
    const rig = await watching();
    post(rig);
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
    rig.fake.app("sentry").post("general", sentryPost(7));
    await expect.poll(() => rig.bot.list(10, null).length).toBe(1);
  });

  it("of itself, though somebody lists its own id", async () => {
    const rig = await watching();
    const { id } = rig.fake.world.channelNamed("general");
    await rig.run("maria", "general", "parley watch", { what: `app ${rig.fake.world.app.bot}` });
    await rig.discord.tell(id, { id: "1", text: "An alert of the host" });
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
  });
});
