/** Commands beyond Discord's 25 entries stand in a group, and a command there does what it does elsewhere. */

import { expect, it } from "vitest";
import { createRig } from "./rig.ts";

it("a channel becomes quiet by a command of the group; bob may not, maria may", async () => {
  const rig = await createRig({});
  const { fake } = rig;
  await expect.poll(() => fake.calls.some(({ route }) => route.startsWith("PUT /applications"))).toBe(true);
  fake.as("bob").command("general", "parley more quiet", { channel: "on" });
  await rig.reads("general", /Only host approvers \(PARLEY_APPROVERS\) can change a channel's settings/);
  fake.as("bob").command("general", "parley more quiet");
  await rig.reads("general", /In this channel's threads no mention is needed/);
  fake.as("maria").command("general", "parley more quiet", { channel: "on" });
  await rig.reads("general", /Quiet: in this channel's threads I answer only messages that mention me/);
  expect(fake.violations).toEqual([]);
});
