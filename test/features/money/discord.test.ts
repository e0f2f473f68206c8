/** `budget` on Discord. */

import { expect, it } from "vitest";
import { createRig } from "../../adapters/discord/rig.ts";
import { OFTEN } from "../../adapters/rig.ts";

it("budget: a server's is its own, set by who manages it; figures never stand in public", async () => {
  const rig = await createRig();
  await expect
    .poll(() => rig.fake.calls.some(({ route }) => route.startsWith("PUT /applications")))
    .toBe(true);
  rig.fake.as("bob").command("general", "parley budget", { of: "server", dollars: "1000" });
  await rig.reads("general", /Only host approvers \(PARLEY_APPROVERS\) can set budgets/);
  rig.fake.as("maria").command("general", "parley budget", { of: "server", dollars: "25" });
  await rig.reads("general", /The budget of this server is set to \$25\.00 a day/);
  expect(rig.purse.budgets()).toMatchObject([{ most: 25_000_000, by: expect.stringMatching(/^discord:/) }]);
  expect(rig.purse.budgets()[0]?.scope).toMatch(/^server:discord:\d+$/);
  const asked = rig.fake.as("bob").say("general", "@parley hello?");
  await rig.reads(asked.id, /Answer 1\./);
  expect(await rig.reads(asked.id, /Answer 1\./)).not.toContain("$");
  rig.fake.as("maria").say(asked.id, "@parley budget");
  const told = await rig.reads(asked.id, /Budget figures are shown only in private replies/);
  expect(told).toContain("You have used 0 % of your model budget here for today.");
  expect(told).not.toContain("$");
  // 40: in a message, too, a mention names its person by id.
  const bob = rig.fake.as("bob").id;
  rig.fake.as("maria").say(asked.id, `@parley budget <@${bob}> 3`);
  await expect
    .poll(() => rig.purse.budgets().find(({ most }) => most === 3_000_000)?.scope, OFTEN)
    .toBe(`person:discord:${bob}`);
  expect(rig.fake.violations).toEqual([]);
});
