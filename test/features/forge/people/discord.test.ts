/** `connect` on Discord: codes only in replies that the person alone sees. */

import { expect, it } from "vitest";
import { createRig } from "../../../adapters/discord/rig.ts";
import { chatForge, codeIn } from "./chat.ts";
import { OCTOCAT } from "./world.ts";

it("shows the code in the private reply alone, and connects the person", async () => {
  const { fake: forge, ready } = await chatForge();
  const rig = await createRig({ ready });
  const { fake } = rig;
  const shown = await rig.run("bob", "general", "parley connect", { forge: "github" });
  expect(shown).toContain(`${forge.url}/login/device`);
  const code = codeIn(shown);
  const read = fake
    .asText("general")
    .split(/^(?=--- from: )/m)
    .filter((post) => post.includes(code));
  expect(read.every((post) => post.includes("(only for @bob)"))).toBe(true);
  forge.signIn.answer(code, OCTOCAT);
  const people = rig.opened.rows.select("SELECT person, login FROM forge_people");
  await expect
    .poll(() => people({}), { timeout: 20_000, interval: 50 })
    .toEqual([{ person: `discord:${fake.as("bob").id}`, login: "octocat" }]);
  expect(await rig.run("bob", "general", "parley connect", {})).toMatch(
    /You are connected: .* \(octocat\)\./,
  );
  // A message in the channel is read by everybody.
  const asked = fake.as("maria").say("general", "@parley connect github");
  await rig.reads(asked.channel, /Other people can read this thread\./);
  expect(forge.signIn.waiting()).toEqual([]);
  expect(await rig.run("bob", "general", "parley disconnect", {})).toContain("Disconnected from");
  expect(people({})).toEqual([]);
}, 60_000);
