/** D59 An app that was created before agents, with the manifest of that time: all that people do with it works. */

import { expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { inPieces, OFTEN } from "../rig.ts";
import { LEGACY_APP } from "./legacy-manifest.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const createLegacyRig = (options: RigOptions = {}): Promise<SlackRig> =>
  createRig({ ...options, fake: { ...LEGACY_APP, ...options.fake } });

const settled = async ({ fake, ledger }: SlackRig): Promise<void> => {
  await fake.settled();
  await vi.waitFor(() => expect(ledger.behind("slack")).toEqual([]), OFTEN);
  expect(fake.violations).toEqual([]);
};

const asksForUpgrade = (messages: readonly PromptMessage[]): ModelOutcome => {
  const result = (messages.at(-1)?.content ?? []).find((block) => block.kind === "toolResult");
  if (result !== undefined) return textAnswer(result.isError ? "Then I leave it." : "Fixed.");
  return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
};

it("mentions, replies, direct messages and commands are answered", async () => {
  const rig = await createLegacyRig({ bound: ["CGENERAL", "DBOB"] });
  const bob = rig.fake.as("bob");
  const root = bob.say("@parley what is this?", { channel: "general" });
  await rig.thread(root, /Answer 1/);
  bob.say("and that?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2[^]*Restricted ·/);
  await rig.thread(bob.say("hello"), /Answer 3/);
  bob.command("/parley", "status", "general");
  await vi.waitFor(
    () => expect(rig.fake.world.ephemerals.filter((one) => one.for === bob.id)).not.toEqual([]),
    OFTEN,
  );
  await settled(rig);
});

it("a streamed answer is one message, and its stop names no session", async () => {
  const rig = await createLegacyRig({
    stream: inPieces("It is in src/config.ts, which reads it. ".repeat(40), 80, 5),
    answer: () => textAnswer("It is in src/config.ts, which reads it. ".repeat(40)),
  });
  const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
  await rig.thread(root, /Restricted ·/);
  await settled(rig);
  const stops = rig.fake.calls.filter(({ method }) => method === "chat.stopStream");
  expect(stops).toHaveLength(1);
  expect(Object.keys(stops[0]?.args ?? {})).not.toContain("session_status");
});

it("cards are decided, and Slack's Stop of a stream ends the turn", async () => {
  const rig = await createLegacyRig({ answer: asksForUpgrade });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  await rig.thread(root, /\[Approve\] \[Deny\]/);
  const card = rig.fake.world
    .thread(root.channel, root.ts)
    .find(({ blocks }) => JSON.stringify(blocks ?? []).includes("parley_approve"));
  rig.fake.as("alice").click({ channel: root.channel, ts: card?.ts ?? "" }, "Approve");
  await rig.thread(root, /approved\* by @alice[^]*Fixed\./);
  await settled(rig);

  const next = await createLegacyRig({ stream: inPieces("It is in src/config.ts. ".repeat(400), 80, 20) });
  const other = next.fake.as("bob").say("@parley where is it?", { channel: "general" });
  await next.thread(other, /\(streaming\)/);
  const stream = next.fake.world
    .thread(other.channel, other.ts)
    .find(({ stream: state }) => state === "in_progress");
  next.fake.as("bob").stopStream({ channel: other.channel, ts: stream?.ts ?? "" });
  await next.thread(other, /Stopped by/);
  await settled(next);
});
