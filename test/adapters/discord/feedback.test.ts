/** What people say of an answer on Discord: it is counted, told to nobody, and wakes nobody. */

import { expect, it, vi } from "vitest";
import { judged as judgedIn, OFTEN } from "../rig.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const counted = (rig: DiscordRig) => judgedIn(rig)[0];

/** The message that carries the buttons. */
const judged = (rig: DiscordRig, thread: string) => {
  const found = rig.fake.world
    .messages(thread)
    .find((one) => JSON.stringify(one.components).includes("thumb_up"));
  return { channel: thread, id: found?.id ?? "" };
};

it("each person has a vote, which they change, explain and take back; nothing is posted and the agent sleeps on", async () => {
  const rig = await createRig();
  const { fake } = rig;
  const { id: thread } = fake.as("bob").say("general", "@parley where?");
  await rig.reads(thread, /Answer 1\.[^]*\[Steps\] \[👍\] \[👎\] \[Solved\]/);
  const at = judged(rig, thread);
  const own = () => fake.world.messages(thread).filter(({ onlyFor }) => onlyFor === null);
  const before = own();
  fake.as("maria").click(at, "👎");
  await rig.reads(
    thread,
    /only for @maria\).*\nYour vote is counted: this answer did not help[^]*\[Say why\]/,
  );
  const note = fake.world.messages(thread).findLast(({ onlyFor }) => onlyFor !== null);
  const form = fake.as("maria").click({ channel: thread, id: note?.id ?? "" }, "Say why");
  await form.ended;
  await fake.as("maria").submit(form, { words: "It names the wrong file." });
  await rig.reads(thread, /only for @maria\).*\nThank you\./);
  fake.as("bob").click(at, "👍");
  await rig.reads(thread, /only for @bob\).*\nYour vote is counted: this answer helped/);
  expect(counted(rig)).toMatchObject({ up: 1, down: 1, reasons: ["It names the wrong file."] });
  fake.as("bob").click(at, "👍");
  await rig.reads(thread, /only for @bob\).*\nYour vote was withdrawn\./);
  fake.as("bob").click(at, "Solved");
  await rig.reads(thread, /only for @bob\).*\nMarked as solved\./);
  expect(counted(rig)).toMatchObject({ up: 0, down: 1, solved: expect.any(Number) });
  expect([own(), rig.asked.length]).toEqual([before, 1]);
  fake.as("maria").click(at, "👍");
  await vi.waitFor(() => expect(counted(rig)).toMatchObject({ up: 1, down: 0, reasons: [] }), OFTEN);
  expect(fake.violations).toEqual([]);
});
