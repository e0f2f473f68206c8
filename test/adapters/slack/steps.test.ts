/** Steps on Slack (TA10, TA11): one click on the answer, in a modal of one's own, and the thread stays as it is. */

import { describe, expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { textAnswer, toolAnswer, toolResult } from "../../runtime/world.ts";
import { createRig, type SlackRig } from "./rig.ts";

const KEY = `ghp_${"a1B2".repeat(9)}`;

/** Runs so many commands and answers; each waits as long as its number in tens of milliseconds. */
const runs =
  (count: number) =>
  (_messages: unknown, no: number): ModelOutcome =>
    no <= count
      ? toolAnswer({ id: `t${no}`, name: "bash", input: { command: `echo ${no}` } })
      : textAnswer("All of it ran.");

const failing = {
  run: () =>
    Promise.resolve({
      ...toolResult(`line one\n${KEY}\nlast line`),
      isError: true,
      exit: 3,
    }),
};

const modalOf = ({ fake }: SlackRig, name: string): string =>
  JSON.stringify(fake.as(name).views().at(-1)?.view["blocks"] ?? []);

const shows = (rig: SlackRig, name: string, text: string): Promise<void> =>
  vi.waitFor(() => expect(modalOf(rig, name)).toContain(text));

const answered = async (rig: SlackRig, root: { readonly channel: string; readonly ts: string }) => {
  await rig.thread(root, /All of it ran\./);
  const message = rig.fake.world
    .thread(root.channel, root.ts)
    .findLast((one) => JSON.stringify(one.blocks).includes("parley_steps"));
  return { channel: root.channel, ts: message?.ts ?? "" };
};

describe("Steps", () => {
  it("shows to anybody in the channel the command, how it ended, what it took and what it wrote, masked", async () => {
    const rig = await createRig({ answer: runs(1), tools: failing });
    const root = rig.fake.as("bob").say("@parley run it", { channel: "general" });
    const answer = await answered(rig, root);
    const before = rig.fake.threadAsText(root.channel, root.ts);
    rig.fake.as("alice").click(answer, "Steps");
    await shows(rig, "alice", "1. Ran echo 1");
    const modal = modalOf(rig, "alice");
    expect(modal).toMatch(/exit 3 · \d+(\.\d)? s · Restricted/);
    expect(modal).toContain("last line");
    expect(modal).toContain("‹masked›");
    expect(modal).not.toContain(KEY);
    expect(modal).toContain("Requested by @bob");
    expect(rig.fake.as("bob").views()).toEqual([]);
    expect(rig.fake.threadAsText(root.channel, root.ts)).toBe(before);
    expect(rig.fake.violations).toEqual([]);
  });

  it("says the same after a restart, and page for page where there are more than ten", async () => {
    const first = await createRig({ answer: runs(13) });
    const root = first.fake.as("bob").say("@parley run them", { channel: "general" });
    const answer = await answered(first, root);
    const rig = await first.restart();
    rig.fake.as("bob").click(answer, "Steps");
    await shows(rig, "bob", "13. Ran echo 13");
    expect(modalOf(rig, "bob")).not.toContain('"3. Ran echo 3"');
    rig.fake.as("bob").press("Older");
    await shows(rig, "bob", '"3. Ran echo 3"');
    expect(modalOf(rig, "bob")).not.toContain("4. Ran echo 4");
    rig.fake.as("bob").press("Newer");
    await shows(rig, "bob", "13. Ran echo 13");
    expect(rig.fake.violations).toEqual([]);
  });

  it("is read while the turn goes on: by the working card, by the shortcut, and by status", async () => {
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      patience: 0,
      answer: runs(2),
      tools: {
        run: ({ input }) =>
          (JSON.stringify(input).includes("2") ? gate.promise : Promise.resolve()).then(() =>
            toolResult("done"),
          ),
      },
    });
    const root = rig.fake.as("bob").say("@parley run them", { channel: "general" });
    await rig.thread(root, /\[Stop\] \[Steps\][^]*Running/);
    const card = rig.fake.world.thread(root.channel, root.ts).findLast((one) => one.ts !== root.ts);
    rig.fake.as("bob").click({ channel: root.channel, ts: card?.ts ?? "" }, "Steps");
    await shows(rig, "bob", "2. Ran echo 2");
    expect(modalOf(rig, "bob")).toContain("not finished · Restricted");
    rig.fake.as("alice").messageShortcut("parley_show_steps", root);
    await shows(rig, "alice", "1. Ran echo 1");
    rig.fake.as("bob").say("@parley status", { channel: "general", thread: root.ts });
    await vi.waitFor(() =>
      expect(rig.fake.world.ephemerals.map(({ text }) => text).join("\n")).toMatch(
        /1\. Ran echo 1 \([^)]*\)\n2\. Ran echo 2 \(not finished/,
      ),
    );
    gate.resolve();
    await answered(rig, root);
    expect(rig.fake.violations).toEqual([]);
  });
});
