/** What people write on Slack while no process runs is answered by the next one, once. */

import { describe, expect, it } from "vitest";
import { told } from "../../rig.ts";
import { createRig } from "../rig.ts";

const channel = "general";

/** A process that has answered and is no more. */
const ended = async () => {
  const rig = await createRig();
  const first = rig.fake.as("bob").say("@parley first", { channel });
  await rig.thread(first, /Restricted ·/);
  await rig.close();
  return { rig, first };
};

describe("messages that nobody heard", () => {
  it("in a live thread and at the top of its channel are answered after the start, each once", async () => {
    const { rig, first } = await ended();
    rig.fake.deliveryFault({ kind: "drop" }, { times: 1_000 });
    rig.fake.as("bob").say("second", { channel, thread: first.ts });
    const other = rig.fake.as("carol").say("@parley third", { channel });
    rig.fake.as("carol").say("lunch?", { channel });
    const later = await rig.restart();
    await later.thread(first, /second\n[^]*Answer \d\.\n[^]*Restricted ·/);
    await later.thread(other, /third\n[^]*Answer \d\.\n[^]*Restricted ·/);
    const last = await later.restart();
    expect(last.asked).toEqual([]);
    const answered = later.asked.map(told).map((text) => /third|second/.exec(text)?.[0]);
    expect(new Set(answered)).toEqual(new Set(["second", "third"]));
    expect(answered).toHaveLength(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("at the top of a channel are answered although something below them was said and answered first", async () => {
    const { rig } = await ended();
    rig.fake.deliveryFault({ kind: "drop" }, { times: 1_000, match: { contains: "unheard" } });
    const root = rig.fake.as("carol").say("@parley unheard", { channel });
    rig.fake.fault({ kind: "wait", gate: "history" }, { match: { method: "conversations.history" } });
    const later = await rig.restart();
    rig.fake.as("carol").say("@parley and now?", { channel, thread: root.ts });
    await later.thread(root, /and now\?\n[^]*Answer \d\.\n[^]*Restricted ·/);
    rig.fake.gate("history").open();
    await later.thread(root, /(?:Answer \d\.\n[^]*){2}/);
    expect(later.asked.map(told).filter((text) => text.includes("unheard"))).not.toEqual([]);
    expect(rig.fake.violations).toEqual([]);
  });
});
