/** What people order in threads beside questions of the model: danger and mode questions, commands, private channels. */

import { describe, expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { SUDO, textAnswer, toolAnswer } from "../../runtime/world.ts";
import { modeIntent, wishes } from "../branching.ts";
import { OFTEN, told } from "../rig.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const heard = ({ fake }: SlackRig, name: string, text: string | RegExp): Promise<void> =>
  vi.waitFor(() => {
    const whispers = fake.world.ephemerals.filter((one) => one.for === fake.as(name).id);
    expect(whispers.map((one) => one.text).join("\n")).toMatch(text);
  }, OFTEN);

/** The newest message of the thread that has the button. */
const cardOf = ({ fake }: SlackRig, root: { channel: string; ts: string }, action: string) => {
  const message = fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"parley_${action}"`));
  return { channel: root.channel, ts: message?.ts ?? "" };
};

/** How many results the model has got since the last message of a person. */
const resultsIn = (messages: readonly PromptMessage[]): number =>
  messages.flatMap(({ content }) => content).filter(({ kind }) => kind === "toolResult").length;

/** One call after the other, then words. */
const calling =
  (...calls: readonly { readonly name: string; readonly input: unknown }[]) =>
  (messages: readonly PromptMessage[]): ModelOutcome => {
    const next = calls[resultsIn(messages)];
    return next === undefined ? textAnswer("All done.") : toolAnswer(next);
  };

const quiet = async ({ fake }: SlackRig): Promise<void> => {
  await fake.settled();
  expect(fake.violations).toEqual([]);
};

const upgrade = { name: "request_mode_upgrade", input: { reason: "to fix it" } };
const sudo = { name: "bash", input: { command: "sudo ls" } };

const asking = async (): Promise<{ rig: SlackRig; root: { channel: string; ts: string } }> => {
  const tools: RigOptions["tools"] = { dangers: () => Promise.resolve([SUDO]) };
  const rig = await createRig({ answer: calling(upgrade, sudo, sudo), tools });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  await rig.thread(root, /\[Approve\]/);
  rig.fake.as("alice").click(cardOf(rig, root, "approve"), "Approve");
  await rig.thread(root, /\[Once\]/);
  return { rig, root };
};

describe("a danger question", () => {
  it("is decided by who may approve alone; This thread lets the same pass from then on", async () => {
    const { rig, root } = await asking();
    rig.fake.as("bob").click(cardOf(rig, root, "once"), "Once");
    await heard(rig, "bob", "You can't decide this");
    rig.fake.as("alice").click(cardOf(rig, root, "session"), "This thread");
    const text = await rig.thread(root, /All done\./);
    expect(text.match(/The agent's call/g)?.length ?? 0).toBeLessThanOrEqual(1);
    await quiet(rig);
  });

  it("Once lets one pass, and the next one asks again", async () => {
    const { rig, root } = await asking();
    const first = cardOf(rig, root, "once");
    rig.fake.as("alice").click(first, "Once");
    await vi.waitFor(() => expect(cardOf(rig, root, "once").ts).not.toBe(first.ts), OFTEN);
    await rig.thread(root, /\[Once\]/);
    rig.fake.as("alice").click(cardOf(rig, root, "deny"), "Deny");
    await rig.thread(root, /All done\./);
    await quiet(rig);
  });
});

describe("commands in a thread", () => {
  it("restrict takes Unrestricted back at once, retry tries a failed turn again", async () => {
    let failures = 1;
    const answer = (messages: readonly PromptMessage[]): ModelOutcome => {
      if (resultsIn(messages) === 0) return toolAnswer(upgrade);
      if (!told(messages).includes("and then?") || failures-- <= 0) return textAnswer("Well.");
      return { kind: "failed", failure: { kind: "auth", message: "no", retryAfter: null } };
    };
    const rig = await createRig({ answer });
    const { fake } = rig;
    const say = (text: string) => fake.as("bob").say(text, { channel: "general", thread: root.ts });
    const root = fake.as("bob").say("@parley fix it", { channel: "general" });
    await rig.thread(root, /\[Approve\]/);
    fake.as("alice").click(cardOf(rig, root, "approve"), "Approve");
    await rig.thread(root, /approved\* by[^]*Well\.[^]*Unrestricted · [[`<]/);
    say("@parley restrict");
    await rig.thread(root, /back to Restricted/);
    say("@parley and then?");
    await rig.thread(root, /\[Try again\]/);
    say("@parley retry");
    await rig.thread(root, /back to Restricted[^]*Well\.[^]*\bRestricted · [[`<]/);
    await quiet(rig);
  });
});

describe("Deny with a reason", () => {
  it("opens a form; what is written there reaches the model as the call's result", async () => {
    const rig = await createRig({ answer: calling(upgrade) });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    await rig.thread(root, /\[Approve\]/);
    rig.fake.as("alice").click(cardOf(rig, root, "approve"), "Deny, and say why");
    await vi.waitFor(() => expect(rig.fake.as("alice").views()).toHaveLength(1), OFTEN);
    rig.fake.as("alice").submit({ words: "Say first what you would change." });
    const text = await rig.thread(root, /All done\./);
    expect(text).toContain("> Say first what you would change.");
    expect(JSON.stringify(rig.asked.at(-1))).toContain("Say first what you would change.");
    await quiet(rig);
  });
});

describe("a private channel", () => {
  const fake: RigOptions["fake"] = {
    channels: [{ name: "general" }, { name: "secret", isPrivate: true, members: ["alice", "bob"] }],
  };

  it("keeps what is asked there by shortcut and by a new thread: no other channel gets a word", async () => {
    const rig = await createRig({
      fake,
      bound: ["CGENERAL", "GSECRET"],
      answer: wishes,
      tools: { intent: modeIntent },
    });
    const said = rig.fake.as("alice").say("the secret build is red", { channel: "secret" });
    await rig.fake.as("bob").messageShortcut("parley_ask", said).ended;
    await vi.waitFor(() => expect(rig.fake.as("bob").views()).toHaveLength(1), OFTEN);
    rig.fake.as("bob").submit({ words: "What broke it?" });
    await rig.thread(said, /\[Switch in a new thread\]/);
    rig.fake.as("bob").click(cardOf(rig, said, "branch"), "Switch in a new thread");
    await rig.thread(said, /[Cc]ontinue/);
    await quiet(rig);
    const written = rig.fake.calls.filter(({ method }) => method.startsWith("chat.post"));
    expect(written.length).toBeGreaterThan(2);
    expect(new Set(written.map(({ args }) => args["channel"]))).toEqual(new Set(["GSECRET"]));
  });

  it("that the bot is not in gets nothing, and who asked is told to invite it", async () => {
    const rig = await createRig({
      fake: { channels: [{ name: "general" }, { name: "closed", isPrivate: true, withoutApp: true }] },
      bound: ["CGENERAL", "GCLOSED"],
    });
    const said = rig.fake.as("alice").say("the closed build is red", { channel: "closed" });
    await rig.fake.as("bob").messageShortcut("parley_ask", said).ended;
    await vi.waitFor(() => expect(rig.fake.as("bob").views()).toHaveLength(1), OFTEN);
    rig.fake.as("bob").submit({ words: "What broke it?" });
    await heard(rig, "bob", "I am not in this conversation");
    expect(rig.asked).toEqual([]);
    expect(rig.fake.calls.filter(({ method }) => method === "chat.startStream")).toEqual([]);
  });
});

it("a question by command is shown whole, however long it is", async () => {
  const rig = await createRig();
  const line = "why & <how> does it do this, and then what";
  const question = Array.from({ length: 110 }, (_, no) => `${no} ${line}`).join("\n");
  rig.fake.as("bob").command("/parley", `ask ${question}`, "general");
  await vi.waitFor(() => expect(rig.fake.world.messages("CGENERAL")).not.toEqual([]), OFTEN);
  const [root] = rig.fake.world.messages("CGENERAL");
  const text = await rig.thread({ channel: "CGENERAL", ts: root?.ts ?? "" }, /Answer 1\./);
  expect(text).toContain(">0 why &amp; &lt;how&gt; does it");
  expect(text).toContain(">109 why &amp; &lt;how&gt; does it do this, and then what");
  expect(told(rig.asked[0])).toContain(`109 ${line}`);
  await quiet(rig);
});
