/** WS14 The app's Messages tab: suggested prompts at its top, and a thread for each message of a person. */

import { expect, it, vi } from "vitest";
import { OFTEN } from "../rig.ts";
import { LEGACY_APP } from "./legacy-manifest.ts";
import { createRig, type SlackRig } from "./rig.ts";

/** No script suggests the next message. */
const env = { PARLEY_MODEL: "claude-sonnet-5-5" };
const SUGGESTED = "assistant.threads.setSuggestedPrompts";
const suggested = ({ fake }: SlackRig): number =>
  fake.calls.filter(({ method }) => method === SUGGESTED).length;
const handled = async ({ fake, opened }: SlackRig): Promise<void> => {
  await fake.settled();
  await vi.waitFor(() => expect(opened.chat.unhandled("slack")).toEqual([]), OFTEN);
};

it("opening the tab shows prompts at its top, without a thread; the Home tab asks for none", async () => {
  const rig = await createRig({ env });
  const { fake } = rig;
  fake.as("bob").openHome();
  await handled(rig);
  expect(suggested(rig)).toBe(0);
  const channel = fake.as("bob").openMessages();
  await vi.waitFor(() => expect(fake.thread(channel, "").prompts).toHaveLength(3), OFTEN);
  const [call] = fake.calls.filter(({ method }) => method === SUGGESTED);
  expect(Object.keys(call?.args ?? {})).not.toContain("thread_ts");
  expect(fake.violations).toEqual([]);
});

it("another place of the person asks for another list, and an equal list is not sent again", async () => {
  const rig = await createRig({ bound: ["CGENERAL"], env });
  const { fake } = rig;
  fake.as("bob").openMessages([{ channel: "general" }]);
  await vi.waitFor(() => expect(suggested(rig)).toBe(1), OFTEN);
  // A context without a person.
  fake.as("bob").view([{ channel: "general" }], "bare");
  await handled(rig);
  expect(suggested(rig)).toBe(1);
  // An empty context, and kinds of entities that nobody declared.
  fake.as("bob").view([]);
  fake.as("bob").view([{ type: "slack#/types/thread_ts", value: "1.0" }]);
  await handled(rig);
  expect(suggested(rig)).toBe(2);
  // Slack shows prompts of an earlier opening no longer.
  fake.as("bob").openMessages([]);
  await vi.waitFor(() => expect(suggested(rig)).toBe(3), OFTEN);
  expect(fake.violations).toEqual([]);
});

it("a view of a person whose tab is unknown asks for nothing", async () => {
  const rig = await createRig({ env });
  rig.fake.as("bob").view([{ channel: "general" }], "bare");
  await handled(rig);
  expect(suggested(rig)).toBe(0);
  expect(rig.fake.violations).toEqual([]);
});

it("each message is a thread of its own, and the answer goes into that thread", async () => {
  const rig = await createRig({ bound: ["DBOB"], env });
  const { fake } = rig;
  fake.as("bob").openMessages();
  const one = fake.as("bob").say("where is the configuration?");
  await rig.thread(one, /Answer 1/);
  const two = fake.as("bob").say("and the log?");
  await rig.thread(two, /Answer 2/);
  expect(rig.ledger.find("slack", one.channel, one.ts)?.conversation).not.toBe(
    rig.ledger.find("slack", two.channel, two.ts)?.conversation,
  );
  await fake.settled();
  expect(fake.violations).toEqual([]);
});

it("an app that is no agent is asked once", async () => {
  const rig = await createRig({ fake: { appKind: "plain" }, env });
  rig.fake.as("bob").openMessages();
  await vi.waitFor(() => expect(suggested(rig)).toBe(1), OFTEN);
  rig.fake.as("bob").openMessages();
  rig.fake.as("carol").openMessages();
  await handled(rig);
  expect(suggested(rig)).toBe(1);
  expect(rig.logged.join("\n")).toContain("suggested prompts off, app not an agent");
});

it("D59 the panel of an app from before agents is that panel's thread, with prompts at its beginning", async () => {
  const rig = await createRig({ bound: ["DBOB"], fake: LEGACY_APP, env });
  const { fake } = rig;
  const panel = fake.as("bob").openAssistant({ channel: "general" });
  await vi.waitFor(() => expect(fake.thread(panel.channel, panel.ts).prompts).toHaveLength(3), OFTEN);
  fake.as("bob").say("where is the configuration?", { thread: panel.ts });
  await rig.thread(panel, /Answer 1/);
  await fake.settled();
  expect(fake.violations).toEqual([]);
});
