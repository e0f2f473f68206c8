/** Calls of an answer at Slack besides the message itself. A person who writes several messages in a row is read once. */

import { describe, expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { inPieces, OFTEN } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";

const STATUSES = ["agents.sessions.setStatus", "assistant.threads.setStatus"];
/** A process looks once for messages that it missed. */
const OF_THE_START = ["conversations.history", "users.conversations"];
const words = inPieces("It is in src/config.ts, which reads the file. ".repeat(44), 200, 5);

const settled = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  await vi.waitFor(() => expect(rig.ledger.behind("slack")).toEqual([]), OFTEN);
  expect(rig.fake.violations).toEqual([]);
};

/** Returns the methods that an answer called, except those that write the message or show the work. */
const looksOf = async (rig: SlackRig, who: string, text: string): Promise<readonly string[]> => {
  const before = rig.fake.calls.length;
  const root = rig.fake.as(who).say(text, { channel: "general" });
  await rig.thread(root, /Restricted ·/);
  await settled(rig);
  return rig.fake.calls
    .slice(before)
    .map(({ method }) => method)
    .filter((method) => !method.startsWith("chat.") && ![...STATUSES, ...OF_THE_START].includes(method));
};

const countOf = ({ fake }: SlackRig, method: string): number =>
  fake.calls.filter((call) => call.method === method).length;

describe("a streamed answer of 2,000 characters", () => {
  it("looks up nothing but its author, and not even the author of an answer a moment ago", async () => {
    const rig = await createRig({ stream: words });
    expect(await looksOf(rig, "bob", "@parley where is it?")).toEqual(["users.info"]);
    expect(await looksOf(rig, "bob", "@parley and the other?")).toEqual([]);
    expect(await looksOf(rig, "carol", "@parley and mine?")).toEqual(["users.info"]);
  });

  it("looks up a host approver each time", async () => {
    const rig = await createRig({ stream: words });
    expect(await looksOf(rig, "alice", "@parley where is it?")).toEqual(["users.info"]);
    expect(await looksOf(rig, "alice", "@parley and the other?")).toEqual(["users.info"]);
  });
});

describe("D1 a person who wrote a moment ago", () => {
  it("and is a guest since then may not ask any more", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    await rig.thread(root, /Answer 1/);
    await settled(rig);
    rig.fake.admin.setRole("bob", "guest");
    await rig.fake.settled();
    rig.fake.as("bob").say("@parley and now?", { channel: "general", thread: root.ts });
    await vi.waitFor(
      () => expect(rig.fake.world.ephemerals.map(({ for: whom }) => whom)).toContain("UBOB"),
      OFTEN,
    );
    await settled(rig);
    expect(rig.asked).toHaveLength(1);
  });

  it("and is still a member asks on without a look", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    await rig.thread(root, /Answer 1/);
    rig.fake.as("bob").say("@parley and now?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    await settled(rig);
    expect(countOf(rig, "users.info")).toBe(1);
  });

  it("is looked up at each click", async () => {
    const rig = await createRig({
      answer: (_messages, _no, signal) =>
        new Promise<ModelOutcome>((resolve) => {
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
        }),
    });
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    await vi.waitFor(() => expect(rig.asked).toHaveLength(1), OFTEN);
    const before = countOf(rig, "users.info");
    rig.fake.as("bob").react(root, "x");
    await rig.thread(root, /Stopped by/);
    await settled(rig);
    expect(countOf(rig, "users.info")).toBeGreaterThan(before);
  });
});
