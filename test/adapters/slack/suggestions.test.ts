/** Suggested prompts fit the place that a person views, and quote no private channel. */

import { expect, it, vi } from "vitest";
import { OFTEN } from "../rig.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const channels = [{ name: "general" }, { name: "secret", isPrivate: true, members: ["alice"] }];
const rigWith = (options: RigOptions = {}): Promise<SlackRig> =>
  createRig({
    bound: ["CGENERAL", "GSECRET"],
    fake: { channels },
    env: { PARLEY_MODEL: "claude-sonnet-5-5" },
    ...options,
  });

const prompts = async (rig: SlackRig, name: string, viewing?: string): Promise<readonly string[]> => {
  const count = rig.fake.calls.length;
  const channel = rig.fake.as(name).openMessages(viewing === undefined ? [] : [{ channel: viewing }]);
  await vi.waitFor(() => {
    const asked = rig.fake.calls.slice(count).map(({ method }) => method);
    expect(asked).toContain("assistant.threads.setSuggestedPrompts");
  }, OFTEN);
  await rig.fake.settled();
  await vi.waitFor(() => expect(rig.chat.unhandled("slack")).toEqual([]), OFTEN);
  return rig.fake.thread(channel, "").prompts.map(({ message }) => message);
};

it("a viewed channel brings its repository and the questions that were asked there", async () => {
  const rig = await rigWith();
  const question = `@parley where is the cache ${"and ".repeat(40)}the log?`;
  const root = rig.fake.as("bob").say(question, { channel: "general" });
  await rig.thread(root, /Answer 1/);
  const [about, asked, ...more] = await prompts(rig, "carol", "general");
  expect(about).toBe("What does acme/api do?");
  expect(asked).toMatch(/^where is the cache and/);
  expect(more).toHaveLength(2);
  const titles = rig.fake.thread("DCAROL", "").prompts.map(({ title }) => title);
  expect(Math.max(...titles.map((title) => title.length))).toBeLessThanOrEqual(40);
  expect(rig.fake.violations).toEqual([]);
});

it("a private channel is described to its members alone, without its questions", async () => {
  const rig = await rigWith();
  const root = rig.fake.as("alice").say("@parley where is the vault?", { channel: "secret" });
  await rig.thread(root, /Answer 1/);
  expect(await prompts(rig, "alice", "secret")).toEqual([
    "What does acme/api do?",
    "Where in the repository is the configuration read?",
    "Explain this stack trace and where it comes from:",
    "help",
  ]);
  expect((await prompts(rig, "bob", "secret")).join()).not.toMatch(/acme|vault/);
  expect((await prompts(rig, "bob")).join()).not.toMatch(/acme|vault/);
  expect(rig.fake.violations).toEqual([]);
});

it("secrets in a question are masked", async () => {
  const rig = await rigWith();
  const token = `ghp_${"a1B2".repeat(9)}`;
  const root = rig.fake.as("bob").say(`@parley is ${token} valid?`, { channel: "general" });
  await rig.thread(root, /Answer 1/);
  expect((await prompts(rig, "carol", "general")).join()).not.toContain(token);
});
