/** What the disk refuses while Slack's connection holds: answered all the same, once, and without a new process. */

import { describe, expect, it } from "vitest";
import { createDisk, type Disk } from "../disk.ts";
import { textAnswer } from "../../runtime/world.ts";
import { told } from "../rig.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const channel = "general";

/** A thread with one answer, on a Slack that sends what is not acknowledged so often again. */
const talking = async (retryDelaysMs: readonly number[], options: Pick<RigOptions, "answer"> = {}) => {
  const disk = createDisk();
  const times = { ackTimeoutMs: 200, retryDelaysMs };
  const rig = await createRig({ ...options, disk: disk.below, fake: { times } });
  const root = rig.fake.as("bob").say("@parley first", { channel });
  await rig.thread(root, /Answer 1[^]*Restricted ·/);
  await rig.fake.settled();
  return { disk, rig, root };
};

/** Says it while the disk refuses, and waits until Slack has given it up. */
const sayRefused = async (
  disk: Disk,
  rig: SlackRig,
  ...said: Parameters<ReturnType<typeof rig.fake.as>["say"]>
) => {
  disk.refuse(true);
  const message = rig.fake.as("bob").say(...said);
  const ends = await Promise.all(rig.fake.deliveries.slice(-1).map(({ ended }) => ended));
  expect(ends).toEqual([{ kind: "unacknowledged" }]);
  return message;
};

const asked = ({ asked: all }: SlackRig, words: string): number =>
  all.filter((messages) => told(messages).includes(words)).length;

describe("what the disk refuses until Slack has given it up", () => {
  it.each([
    { attempts: "one attempt", delays: [] },
    { attempts: "three attempts", delays: [0, 50] },
  ])("in a live thread is answered once when the disk takes it again ($attempts)", async ({ delays }) => {
    const { disk, rig, root } = await talking(delays);
    await sayRefused(disk, rig, "@parley and the second?", { channel, thread: root.ts });
    expect(disk.refusals()).toBeGreaterThan(delays.length);
    expect(asked(rig, "the second?")).toBe(0);
    disk.refuse(false);
    await rig.thread(root, /the second\?[^]*Answer 2[^]*Restricted ·/);
    expect(asked(rig, "the second?")).toBe(1);
    expect(rig.fake.sockets.changes.map(({ kind }) => kind)).toEqual(["opened", "opened"]);
    expect(rig.logged.join("\n")).toContain("event not stored, kept in memory");
    expect(rig.fake.violations).toEqual([]);
  });

  it("and a new thread with what was added to it before anybody knew of it", async () => {
    const free = Promise.withResolvers<void>();
    const { disk, rig } = await talking([], {
      answer: async (messages, no) => {
        if (told(messages).includes("a new thread")) await free.promise;
        return textAnswer(`Answer ${no}.`);
      },
    });
    const root = await sayRefused(disk, rig, "@parley a new thread", { channel });
    disk.refuse(false);
    rig.fake.as("bob").say("and this belongs to it", { channel, thread: root.ts });
    await expect
      .poll(() => rig.fake.world.ephemerals.map(({ text }) => text).join("\n"))
      .toContain("I am still working on");
    free.resolve();
    await rig.thread(root, /Answer \d[^]*Restricted ·/);
  });

  it("and sent again by Slack beside that, is answered once", async () => {
    const { disk, rig, root } = await talking([0]);
    disk.refuse(true);
    rig.fake.as("bob").say("@parley and the second?", { channel, thread: root.ts });
    const [delivery] = rig.fake.deliveries.slice(-1);
    await expect.poll(() => disk.refusals()).toBeGreaterThan(0);
    disk.refuse(false);
    expect(await delivery?.ended).toMatchObject({ kind: "acknowledged" });
    await rig.thread(root, /the second\?[^]*Answer 2[^]*Restricted ·/);
    await rig.fake.settled();
    expect(asked(rig, "the second?")).toBe(1);
    expect(rig.logged.join("\n")).not.toContain("I am still working on");
  });
});
