/** Steps on Discord (TA10): an answer for one person alone, whole for who asked and who may approve. */

import { describe, expect, it } from "vitest";
import { textAnswer, toolAnswer, toolResult } from "../../runtime/world.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const runs = (count: number) => (_messages: unknown, no: number) =>
  no <= count
    ? toolAnswer({ id: `t${no}`, name: "bash", input: { command: `echo ${no}` } })
    : textAnswer("All of it ran.");

const tools = {
  run: () => Promise.resolve({ ...toolResult("```\n@everyone said so"), isError: true, exit: 3 }),
};

const answered = async (rig: DiscordRig) => {
  const asked = rig.fake.as("bob").say("general", "@parley run it");
  await rig.reads(asked.id, /All of it ran\.[^]*\[Steps\]/);
  const message = rig.fake.world
    .messages(asked.id)
    .findLast(({ components }) => JSON.stringify(components).includes("parley_steps"));
  return { thread: asked.id, at: { channel: asked.id, id: message?.id ?? "" } };
};

/** What only that person sees, the newest. */
const own = (rig: DiscordRig, thread: string, name: string) =>
  rig.fake.world.messages(thread).findLast(({ onlyFor }) => onlyFor === rig.fake.as(name).id);

describe("Steps", () => {
  it("shows who asked the command, how it ended and what it wrote, and nobody else in the thread", async () => {
    const rig = await createRig({ answer: runs(1), tools });
    const { thread, at } = await answered(rig);
    const end = await rig.fake.as("bob").click(at, "Steps").ended;
    expect(end).toMatchObject({ kind: "deferred", ephemeral: true });
    const text = await rig.reads(thread, /1\\?\. Ran echo 1/);
    expect(text).toMatch(/only for @bob[^]*exit 3 · \d+(\.\d)? s · Restricted[^]*said so/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("shows a stranger what was run, not what it wrote; after a restart too", async () => {
    const first = await createRig({ answer: runs(1), tools });
    const { thread, at } = await answered(first);
    const rig = await first.restart();
    rig.fake.as("alice").click(at, "Steps");
    const text = await rig.reads(thread, /only for @alice[^]*1\\?\. Ran echo 1/);
    expect(text).not.toContain("said so");
    expect(text).toContain("Only the person who asked and the approvers can see the steps' output");
    rig.fake.as("maria").click(at, "Steps");
    await rig.reads(thread, /only for @maria[^]*said so/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("turns its pages in place, and gives the whole as a file", async () => {
    const rig = await createRig({ answer: runs(5), tools });
    const { thread, at } = await answered(rig);
    rig.fake.as("bob").click(at, "Steps");
    await rig.reads(thread, /only for @bob[^]*5\\?\. Ran echo 5/);
    const shown = { channel: thread, id: own(rig, thread, "bob")?.id ?? "" };
    rig.fake.as("bob").click(shown, "Older");
    expect(await rig.reads(thread, /1\\?\. Ran echo 1/)).not.toMatch(/3\\?\. Ran echo 3/);
    rig.fake.as("bob").click(shown, "Whole output");
    await rig.reads(thread, /steps\.txt/);
    expect(rig.fake.violations).toEqual([]);
  });
});
