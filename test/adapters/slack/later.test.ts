/** Messages of a shared thread that reach the agent by a click: its requests contain them once. */

import { expect, it } from "vitest";
import { textAnswer } from "../../runtime/world.ts";
import { told } from "../rig.ts";
import { createRig } from "./rig.ts";

it.each(["Send when done", "Add to this turn", "Stop and send this"])(
  "a message after %s is not quoted again as an earlier one",
  async (label) => {
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      answer: async (_, no) => {
        if (no === 1) await gate.promise;
        return textAnswer(`Answer ${no}.`);
      },
    });
    const { world } = rig.fake;
    const root = rig.fake.as("alice").say("@parley where?", { channel: "general" });
    await expect.poll(() => rig.asked.length).toBe(1);
    const bob = rig.fake.as("bob");
    bob.say("@parley only the client", { channel: "general", thread: root.ts });
    await expect.poll(() => world.ephemerals.length).toBe(1);
    bob.click({ channel: root.channel, ts: world.ephemerals[0]?.ts ?? "" }, label);
    const { conversation = "c-" } = rig.ledger.find("slack", root.channel, root.ts) ?? {};
    await expect
      .poll(() => rig.store.load(conversation)?.state)
      .toSatisfy((state) => /"waiting":|"added":|"no":2/.test(JSON.stringify(state)));
    gate.resolve();
    await rig.thread(root, /Answer 2\./);
    rig.fake.as("alice").say("@parley and now?", { channel: "general", thread: root.ts });
    await expect.poll(() => rig.asked.length).toBe(3);
    expect(told(rig.asked[2]).match(/only the client|and now\?/g)).toEqual(["only the client", "and now?"]);
  },
);
