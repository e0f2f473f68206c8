/** `budget` on Slack: figures are whispered to those who may approve, and everybody sees how much is left. */

import { expect, it, vi } from "vitest";
import { createRig, type SlackRig } from "../../adapters/slack/rig.ts";

const heard = ({ fake }: SlackRig, name: string, text: string | RegExp): Promise<void> =>
  vi.waitFor(() => {
    const whispers = fake.world.ephemerals.filter((one) => one.for === fake.as(name).id);
    expect(whispers.map((one) => one.text).join("\n")).toMatch(text);
  });

it("budget: figures and amounts are for those who may approve; everybody hears how much is left", async () => {
  const rig = await createRig();
  const { fake } = rig;
  await rig.purse.spend(new Date().toISOString().slice(0, 10), ["channel:slack:CGENERAL"], 2_000_000);
  fake.as("bob").command("/parley", "budget", "general");
  await heard(
    rig,
    "bob",
    /^You have used 20 % of your model budget here for today\. The budget renews at 00:00 UTC, in /,
  );
  fake.as("bob").command("/parley", "budget channel 1000", "general");
  await heard(rig, "bob", "Only host approvers (PARLEY_APPROVERS) can set budgets here.");
  fake.as("alice").command("/parley", "budget", "general");
  await heard(
    rig,
    "alice",
    "Spent today: you $0.00 of $10.00 · this channel $2.00 of $10.00 · this server $0.00 of $10.00 · the host $0.00 of $50.00.",
  );
  fake.as("alice").command("/parley", "budget channel 20", "general");
  await heard(rig, "alice", "The budget of this channel is set to $20.00 a day.");
  fake.as("alice").command("/parley", "budget", "general");
  await heard(rig, "alice", "this channel $2.00 of $20.00");
  const root = fake.as("alice").say("@parley hello", { channel: "general" });
  await rig.thread(root, /Answer 1\./);
  fake.as("alice").say("@parley status", { channel: "general", thread: root.ts });
  await heard(rig, "alice", /This conversation: \$0\.\d+\nSpent today: you/);
  fake.as("alice").say(`@parley budget <@${fake.as("bob").id}> 3`, { channel: "general", thread: root.ts });
  await heard(rig, "alice", `The budget of \`${fake.as("bob").id}\` is set to $3.00 a day.`);
  expect(rig.purse.budgets().map(({ scope, most }) => [scope, most])).toEqual([
    ["channel:slack:CGENERAL", 20_000_000],
    [`person:slack:${fake.as("bob").id}`, 3_000_000],
  ]);
  await fake.settled();
  expect(fake.violations).toEqual([]);
});
