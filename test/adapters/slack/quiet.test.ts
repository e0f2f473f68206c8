import { expect, it, vi } from "vitest";
import { createRig } from "./rig.ts";

it("the channel's status names quiet; what is neither on nor off changes nothing", async () => {
  const rig = await createRig({});
  const { fake } = rig;
  const told = (who: string, text: string) =>
    vi.waitFor(() =>
      expect(
        JSON.stringify(fake.world.ephemerals.filter(({ for: whom }) => whom === fake.as(who).id)),
      ).toContain(text),
    );
  fake.as("alice").command("/parley", "quiet maybe", "general");
  await told("alice", "Your choice is not one of");
  fake.as("bob").command("/parley", "quiet", "general");
  await told("bob", "In this channel's threads no mention is needed");
  fake.as("alice").command("/parley", "quiet on", "general");
  await told("alice", "Quiet: in this channel's threads");
  fake.as("bob").command("/parley", "status", "general");
  await told("bob", "Quiet: in this channel's threads");
  expect(fake.violations).toEqual([]);
});
