/** A mention becomes a thread with an answer in it; who is heard afterwards, and what is handled again, and what not. */

import { describe, expect, it } from "vitest";
import { createRig, told } from "./rig.ts";

describe("a mention in a channel", () => {
  it("opens a thread and a conversation in the channel's repository, and is answered there", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley what is this?", { channel: "general" });
    const text = await rig.thread(root, /Restricted ·/);
    expect(text).toMatchInlineSnapshot(`
      "--- from: @bob
      @parley what is this?
      --- from: parley (bot)
      Working on \`https://github.com/acme/api.git\`. **Restricted**: tools can read the checkout and nothing else, without network.
      --- from: parley (bot)
      Answer 1.
      --- from: parley (bot)
      Restricted · test · 110 tokens · $0.0005 · N s
      "
    `);
    expect(rig.asked).toHaveLength(1);
    expect(told(rig.asked[0])).toContain("what is this?");
    expect(told(rig.asked[0])).toContain("https://github.com/acme/api.git");
    await rig.fake.settled();
    expect(rig.fake.violations).toEqual([]);
  });
});
