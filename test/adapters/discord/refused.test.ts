/** What the disk refuses while the gateway holds: Discord tells it once, and it is answered all the same. */

import { expect, it } from "vitest";
import { createDisk } from "../disk.ts";
import { told } from "../rig.ts";
import { createRig } from "./rig.ts";

const talking = async () => {
  const disk = createDisk();
  const rig = await createRig({ disk: disk.below });
  const post = rig.fake.as("alice").ask("help", { name: "Port", text: "Where is the port read, @parley?" });
  await rig.reads(post.channel, /Answer 1[^]*tricted[^·\n]* · [[`<]/);
  return { disk, rig, channel: post.channel };
};

it("is answered once when the disk takes it again, in the session that told of it", async () => {
  const { disk, rig, channel } = await talking();
  disk.refuse(true);
  rig.fake.as("alice").say(channel, "@parley and the second?");
  await expect.poll(() => disk.refusals()).toBeGreaterThan(0);
  expect(rig.asked).toHaveLength(1);
  disk.refuse(false);
  await rig.reads(channel, /the second\?[^]*Answer 2[^]*tricted[^·\n]* · [[`<]/);
  expect(rig.asked.filter((messages) => told(messages).includes("the second?"))).toHaveLength(1);
  expect(rig.logged.join("\n")).toContain("event not stored, kept in memory");
  expect(rig.fake.violations).toEqual([]);
});

it("a command that the disk refuses is refused to the person, and not done later", async () => {
  const { disk, rig, channel } = await talking();
  disk.refuse(true);
  expect(await rig.run("alice", channel, "parley continue")).toContain("Nothing was done");
  disk.refuse(false);
  rig.fake.as("alice").say(channel, "@parley and the second?");
  await rig.reads(channel, /the second\?[^]*Answer 2[^]*tricted[^·\n]* · [[`<]/);
  expect(rig.logged.join("\n")).not.toContain("kept in memory");
});

it("40.B what people wrote while the socket was lost and the disk was full is answered once it takes writes", async () => {
  const { disk, rig, channel } = await talking();
  disk.refuse(true);
  rig.fake.as("alice").say(channel, "@parley and the second?");
  await expect.poll(() => disk.refusals()).toBeGreaterThan(0);
  rig.fake.gateway.forgetSessions();
  rig.fake.gateway.open[0]?.cut();
  await rig.fake.gateway.waitFor(1, "closed");
  const asked = ["third", "fourth"].map((no) => rig.fake.as("bob").say("general", `@parley and the ${no}?`));
  await rig.fake.gateway.waitFor(2, "identified");
  disk.refuse(false);
  for (const { id } of asked) await rig.reads(id, /Answer \d[^]*tricted[^·\n]* · [[`<]/);
  await rig.reads(channel, /the second\?[^]*Answer \d[^]*tricted[^·\n]* · [[`<]/);
  for (const words of ["the second?", "the third?", "the fourth?"])
    expect(rig.asked.filter((messages) => told(messages).includes(words))).toHaveLength(1);
  expect(rig.fake.violations).toEqual([]);
});
