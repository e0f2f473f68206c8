/** A channel's memory on Slack: proposed, approved by a click, read in other threads, and gone with its author. */

import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { told } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { pushWithout } from "./notes.ts";

const TUESDAYS = "We deploy on Tuesdays.";

/** Proposes what a message asks it to remember, then answers. */
const proposing = (messages: readonly PromptMessage[]): ModelOutcome => {
  const last = messages.at(-1)?.content.at(-1);
  const text = last?.kind === "text" ? /remember: (.*)/.exec(last.text)?.[1] : undefined;
  return text === undefined
    ? textAnswer("Understood.")
    : toolAnswer({ name: "propose_note", input: { text } });
};

const open = (options: RigOptions = {}): Promise<SlackRig> =>
  createRig({ answer: proposing, featureTools: ["propose_note"], ...options });

const command = async (rig: SlackRig, who: string, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as(who).command("/parley", `memory ${text}`, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const proposed = async (rig: SlackRig, text = TUESDAYS) => {
  const root = rig.fake.as("alice").say(`@parley no, remember: ${text}`, { channel: "general" });
  expect(await rig.thread(root, /Remember this in this channel\?/)).toContain(text);
  return root;
};

/** The newest message of the thread with such a button. */
const cardIn = async (
  { fake }: SlackRig,
  root: { readonly channel: string; readonly ts: string },
  label: string,
) => {
  const card = () =>
    fake.world
      .thread(root.channel, root.ts)
      .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"text":"${label}"`));
  await expect.poll(card).toBeDefined();
  return { channel: root.channel, ts: card()?.ts ?? "" };
};

const askedIn = async (rig: SlackRig, question: string): Promise<string> => {
  const count = rig.asked.length;
  const root = rig.fake.as("bob").say(`@parley ${question}`, { channel: "general" });
  await rig.thread(root, /Understood\./);
  return told(rig.asked[count]);
};

describe("a note that the agent proposes", () => {
  it("exists after a click, names who approved it, and is read in the next thread", async () => {
    const rig = await open();
    const root = await proposed(rig);
    expect(await askedIn(rig, "when do we deploy?")).not.toContain(TUESDAYS);
    rig.fake.as("bob").click(await cardIn(rig, root, "Remember"), "Remember");
    const text = await rig.thread(root, /Note 1, remembered by/);
    expect(text).not.toContain("[Remember]");
    expect(await command(rig, "bob", "")).toContain(`archives/CGENERAL/p${root.ts.replace(".", "")}`);
    const asked = await askedIn(rig, "and when do we deploy now?");
    expect(asked).toMatch(
      /\[Parley\] Notes of this channel[^\n]*\n\| 1\. We deploy on Tuesdays\. \(alice, \d{4}-\d\d-\d\d\)/,
    );
    expect(rig.fake.violations).toEqual([]);
  });

  it("says in the answer that it was used", async () => {
    const rig = await open();
    await command(rig, "alice", `add ${TUESDAYS}`);
    const root = rig.fake.as("bob").say("@parley when?", { channel: "general" });
    expect(await rig.thread(root, /Understood\./)).toContain("1 note used");
  });

  it("is edited in a form that begins with the proposed text", async () => {
    const rig = await open();
    const root = await proposed(rig);
    const bob = rig.fake.as("bob");
    bob.click(await cardIn(rig, root, "Edit and remember"), "Edit and remember");
    await expect.poll(() => JSON.stringify(bob.views())).toContain(`"initial_value":"${TUESDAYS}"`);
    bob.submit({ words: "We deploy on Mondays." });
    await rig.thread(root, /Note 1, remembered by .*Mondays/);
    expect(await command(rig, "bob", "")).toContain("1. We deploy on Mondays. (by alice, approved by bob");
  });

  it("is refused by No, not proposed again, and not after three refusals in a week", async () => {
    const rig = await open();
    for (const text of ["One.", "Two.", "Three."]) {
      const root = await proposed(rig, text);
      rig.fake.as("bob").click(await cardIn(rig, root, "No"), "No");
      await expect.poll(() => rig.fake.threadAsText(root.channel, root.ts)).not.toContain("Remember this");
    }
    const again = rig.fake.as("alice").say("@parley remember: one", { channel: "general" });
    const more = rig.fake.as("alice").say("@parley remember: Four.", { channel: "general" });
    for (const root of [again, more])
      expect(await rig.thread(root, /Understood\./)).not.toContain("Remember this");
    expect(await command(rig, "bob", "")).toContain("The channel has no notes.");
  });

  it("names the untrusted content that was read before", async () => {
    const rig = await open();
    const before = rig.fake.as("bob").say("Please deploy on Sundays.", { channel: "general" });
    rig.fake.as("alice").say("@parley remember: Sundays.", { channel: "general", thread: before.ts });
    const text = await rig.thread(before, /Remember this in this channel\?/);
    expect(text).toContain("Untrusted content read so far: 1 quoted message.");
  });

  it("is decided once, also in the next process", async () => {
    const rig = await open();
    const root = await proposed(rig);
    const next = await rig.restart();
    const card = await cardIn(next, root, "Remember");
    next.fake.as("bob").click(card, "Remember");
    next.fake.as("alice").click(card, "Remember");
    await next.thread(root, /Note 1, remembered by/);
    expect(await command(next, "bob", "")).toContain("Notes of this channel, 1 of 60:");
  });
});

const askedAt = async (rig: SlackRig, channel: string): Promise<string> => {
  const count = rig.asked.length;
  const root = rig.fake.as("alice").say("@parley what do you know?", { channel });
  await rig.thread(root, /Understood\./);
  return told(rig.asked[count]);
};
const addTo = async (rig: SlackRig, channel: string, text: string): Promise<void> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", `memory add ${text}`, channel);
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  expect(rig.fake.world.ephemerals.at(-1)?.text).toContain("is added");
};

describe("the notes of a request", () => {
  const CHANNELS = [{ name: "general" }, { name: "other" }, { name: "secret", isPrivate: true }] as const;
  const everywhere = (options: RigOptions = {}): Promise<SlackRig> =>
    open({ fake: { channels: CHANNELS }, bound: ["CGENERAL", "COTHER", "GSECRET"], ...options });
  it("of a public channel about the repository are read in other channels of it, other notes are not", async () => {
    const rig = await everywhere();
    await addTo(rig, "general", "repo: Use pnpm.");
    await addTo(rig, "general", "Alice is on call.");
    await addTo(rig, "secret", "repo: The acquisition is called Falcon.");
    expect(await askedAt(rig, "other")).toMatch(/\| 1\. Use pnpm\./);
    expect(await askedAt(rig, "other")).not.toMatch(/on call|Falcon/);
    expect(await askedAt(rig, "general")).not.toContain("Falcon");
    expect(await askedAt(rig, "secret")).toContain("Falcon");
  });

  it("change the cached prefix only when they change", async () => {
    const rig = await everywhere();
    await addTo(rig, "general", TUESDAYS);
    const root = rig.fake.as("alice").say("@parley first", { channel: "general" });
    await rig.thread(root, /Understood\./);
    rig.fake.as("alice").say("second", { channel: "general", thread: root.ts });
    await expect.poll(() => rig.asked.length).toBe(2);
    const [first, second] = rig.asked.map((messages) => messages[0]?.content[0]);
    expect(second).toEqual(first);
    await addTo(rig, "general", "And on Thursdays.");
    rig.fake.as("alice").say("third", { channel: "general", thread: root.ts });
    await expect.poll(() => rig.asked.length).toBe(3);
    expect(rig.asked[2]?.[0]?.content[0]).not.toEqual(first);
  });

  it("are listed by Steps", async () => {
    const rig = await everywhere();
    await addTo(rig, "general", TUESDAYS);
    const root = rig.fake
      .as("alice")
      .say("@parley remember: On Fridays nothing is deployed.", { channel: "general" });
    await rig.thread(root, /Remember this/);
    const alice = rig.fake.as("alice");
    alice.click(await cardIn(rig, root, "Steps"), "Steps");
    await expect.poll(() => JSON.stringify(alice.views())).toContain(`Note 1. ${TUESDAYS} (alice, `);
  });
});

describe("the command", () => {
  it("adds, edits, pins and removes notes, and says who wrote them", async () => {
    const rig = await open();
    expect(await command(rig, "bob", `add ${TUESDAYS}`)).toContain("Note 1 is added.");
    expect(await command(rig, "alice", "add we deploy on tuesdays")).toContain("Note 1 says this already.");
    expect(await command(rig, "alice", "add repo: Use the staging fixtures.")).toContain("Note 2 is added.");
    expect(await command(rig, "bob", "edit 1 We deploy on Mondays.")).toContain("Note 1 is changed.");
    expect(await command(rig, "alice", "pin 2")).toContain("Note 2 is pinned");
    const list = await command(rig, "bob", "");
    expect(list).toContain("1. We deploy on Mondays. (by bob, ");
    expect(list).toMatch(/2\. Use the staging fixtures\. \(by alice, [\d-]+; about the repository; pinned\)/);
    expect(await command(rig, "bob", "remove 1")).toContain("Note 1 is removed.");
    expect(await command(rig, "bob", "remove 1")).toContain("There is no note 1 here.");
    expect(await command(rig, "bob", "add The next one.")).toContain("Note 3 is added.");
  });

  it("refuses what is no note, with the reason", async () => {
    const rig = await open();
    expect(await command(rig, "bob", `add ${"x".repeat(301)}`)).toContain(
      "301 characters, and a note can have 300",
    );
    expect(await command(rig, "bob", "add until 2020-01-01: old")).toContain("The date has passed.");
    expect(await command(rig, "bob", "edit 7 nothing")).toContain("There is no note 7 here.");
  });
});

describe("a person who is erased", () => {
  it("takes their notes along, and edits of theirs in the notes of others", async () => {
    const rig = await open();
    await command(rig, "alice", "add The first.");
    await command(rig, "bob", "add The second.");
    await command(rig, "bob", "edit 1 Changed by bob.");
    const erased = await rig.bot.forgetPerson({
      person: "slack:UBOB",
      names: ["bob"],
      by: "console:operator",
    });
    expect(erased.kind).toBe("done");
    const list = await command(rig, "alice", "");
    expect(list).toContain("1. The first. (by alice");
    expect(list).not.toMatch(/second|bob/);
    expect(await askedIn(rig, "what do you know?")).toContain("| 1. The first.");
  });
});

it("a note whose code changed is asked about in private, and used again after Still true", async () => {
  const rig = await open();
  await command(rig, "alice", "add `retryPolicy` is 5.");
  const lines = () => rig.fake.world.ephemerals.filter(({ text }) => text.includes("is not used any more"));
  await pushWithout({ ...rig, surface: rig.slack }, "retryPolicy");
  await expect.poll(() => lines().length).toBe(1);
  expect(await askedIn(rig, "how often do we retry?")).not.toContain("retryPolicy");
  const alice = rig.fake.as("alice");
  const at = { channel: "CGENERAL", ts: lines()[0]?.ts ?? "" };
  alice.click(at, "Still true");
  await expect.poll(() => rig.fake.world.ephemerals.at(-1)?.text).toContain("The note is used again.");
  expect(await askedIn(rig, "and how often now?")).toContain("| 1. `retryPolicy` is 5.");
});
