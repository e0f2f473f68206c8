/** What begins by itself, on Discord: a thread on the bot's own message, for which no card is put (D45, D39). */

import { describe, expect, it } from "vitest";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { createRig } from "../../adapters/discord/rig.ts";
import { watchingOf } from "./watching.ts";

describe("an event that begins a thread", () => {
  it("is a message in the channel with its thread, and asks nobody for anything; a person's request does", async () => {
    const rig = await createRig({
      answer: (_, no) =>
        no % 2 === 1 ? toolAnswer({ name: "request_mode_upgrade" }) : textAnswer("It is the cart."),
    });
    const { id: place } = rig.fake.world.channelNamed("general");
    const told = await rig.run("maria", "general", "parley watch", { what: "hook alerts: Find the cause" });
    expect(told).toContain("/hooks/alerts");
    await watchingOf(rig).watcher.take({
      watch: "alerts",
      delivery: "1",
      fingerprint: "f",
      title: "Disk @everyone full",
      text: "[here](https://evil.example)",
      link: "https://mon.example/1",
      at: 1,
    });
    const channel = await rig.reads(place, /Started automatically: the watch alerts\./);
    expect(channel).toContain("https://mon.example/1");
    expect(channel).not.toContain("[here](https://evil.example)");
    const begun = rig.fake.world
      .messages(place)
      .find(({ components }) => JSON.stringify(components).includes("Started automatically"));
    const root = begun?.id ?? "";
    await expect.poll(() => rig.fake.world.channels.get(root)?.name ?? "").toMatch(/^Disk @.?everyone full/);
    const thread = await rig.reads(root, /It is the cart\./);
    expect(thread).not.toMatch(/Approve|asks for write access/);
    rig.fake.as("bob").say(root, "and now fix it");
    await rig.reads(root, /Approve/);
  });
});
