/** PARLEY_WATCH_PEOPLE=off: no watch of people is added, and an earlier one reads nothing. */

import { expect, it } from "vitest";
import { FEATURES } from "../../../../src/app/features/list.ts";
import { readFeatures } from "../../../../src/app/features/open.ts";
import { readingWith } from "../../../../src/app/outward.ts";
import { createRig, type SlackRig } from "../../../adapters/slack/rig.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";

const readyWith = async (given: Readonly<Record<string, string>>) => {
  const features = FEATURES.map((one) => one.set(given)).flatMap((one) =>
    one.kind === "set" ? [one.feature] : [],
  );
  const read = await readFeatures(features, readingWith({ otherKeys: {} }));
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read;
};

const order = async (rig: SlackRig, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
};

const looksOf = ({ asked }: SlackRig) => asked.flatMap((messages) => lookIn(messages)?.post ?? []);

it("forbids watches of people: a command is refused, and a watch from before reads no post", async () => {
  const opened = openMemory();
  const options = { answer: deciding(crashes), opened };
  const before = await createRig({ ...options, ready: await readyWith({ PARLEY_WATCH_PEOPLE: "on" }) });
  expect(await order(before, "watch people: Find bugs")).toMatch(/posts of people/);
  before.fake.as("bob").say("The cart crashes", { channel: "general" });
  await heard(before);
  expect(looksOf(before)).toEqual(["The cart crashes"]);
  await before.close();

  const rig = await createRig({
    ...options,
    on: before.fake,
    ready: await readyWith({ PARLEY_WATCH_PEOPLE: "off" }),
  });
  expect(await order(rig, "watch people: Find more bugs")).toContain("PARLEY_WATCH_PEOPLE");
  rig.fake.as("bob").say("The list crashes", { channel: "general" });
  await heard(rig);
  expect(looksOf(rig)).toEqual([]);
  // Parley still answers when people mention it.
  const root = rig.fake.as("bob").say("@parley why?", { channel: "general" });
  await rig.thread(root, /Answer \d/);
});
