/** *Look into it* on Discord: whoever presses it asks, once (D45). */

import { expect, it } from "vitest";
import { told } from "../../adapters/rig.ts";
import { createRig } from "../../adapters/discord/rig.ts";
import { investigateButton } from "../../../src/features/watches/investigation.ts";
import { english } from "../../../src/i18n/say.ts";

it("a line in a thread has a button; whoever presses it asks what stands on it, and the next is told that somebody has", async () => {
  const rig = await createRig();
  const { channel: place, id: root } = rig.fake.as("bob").say("general", "@parley hello");
  await rig.reads(root, /Answer 1\./);
  const button = investigateButton("checks", 5, "acme/api checks abc", english);
  const line = { root, id: "1", text: "acme/api#5 failed its checks." };
  const put = await rig.discord.tell(place, line);
  expect(await rig.discord.tell(place, line)).toEqual(put);
  const message = put.kind === "put" ? put.message : "";
  await rig.discord.tell(place, { ...line, button, edits: message });
  await rig.reads(root, /acme\/api#5 failed its checks\.[^]*\[Look into it\]/);
  rig.fake.as("maria").click({ channel: root, id: message }, "Look into it");
  await rig.reads(root, /Answer 2\./);
  expect(told(rig.asked[1])).toMatch(
    /Pull request 5, which you opened in this conversation from the branch parley\/c-\w+, failed its checks\./,
  );
  rig.fake.as("bob").click({ channel: root, id: message }, "Look into it");
  await rig.reads(root, /This question has already been asked\./);
  expect(rig.asked.length).toBe(2);
  expect(rig.fake.violations).toEqual([]);
});
