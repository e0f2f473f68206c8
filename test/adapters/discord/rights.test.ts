/** Who may what in one thread, with two people in each: rights stay with whoever wrote, decisions with whoever may. */

import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { Tools } from "../../../src/ports/tools.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer, toolResult } from "../../runtime/world.ts";
import { OFTEN } from "../rig.ts";
import { createRig, type DiscordRig, type RigOptions } from "./rig.ts";

/** Asks for write access at the first request of a turn, and goes on as the results say. */
const asksForUpgrade = (messages: readonly PromptMessage[]): ModelOutcome => {
  const result = messages.at(-1)?.content.find((block) => block.kind === "toolResult");
  if (result === undefined)
    return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
  return textAnswer(result.isError ? "Then I leave it." : "Fixed.");
};

/** The newest message of the thread that has this button. */
const card = ({ fake }: DiscordRig, channel: string, button: string) => {
  const found = fake.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(button));
  return { channel, id: found?.id ?? "" };
};

describe("Deny, and say why", () => {
  it("opens a form; what is written there stands on the card and reaches the agent", async () => {
    const rig = await createRig({ answer: asksForUpgrade });
    const { id: thread } = rig.fake.as("maria").say("general", "@parley fix it");
    await rig.reads(thread, /\[Approve\] \[Deny\] \[Deny, and say why\]/);
    const opened = rig.fake.as("maria").click(card(rig, thread, "Approve"), "Deny, and say why");
    expect(await opened.ended).toMatchObject({ kind: "modal" });
    const sent = await rig.fake.as("maria").submit(opened, { words: "Only the docs, @everyone" });
    expect(await sent.ended).toMatchObject({ kind: "deferredUpdate" });
    await rig.reads(thread, /denied\*\* by @maria[^]*> Only the docs[^]*Then I leave it\./);
    expect(JSON.stringify(rig.asked.at(-1))).toContain("Only the docs");
    expect(rig.fake.violations).toEqual([]);
  });

  it("by somebody who may not decide changes nothing, and that person is told", async () => {
    const rig = await createRig({ answer: asksForUpgrade });
    const { id: thread } = rig.fake.as("maria").say("general", "@parley fix it");
    await rig.reads(thread, /\[Deny, and say why\]/);
    const opened = rig.fake.as("bob").click(card(rig, thread, "Approve"), "Deny, and say why");
    await opened.ended;
    await rig.fake.as("bob").submit(opened, { words: "no" });
    expect(await rig.reads(thread, /only for @bob\).*\nYou can't decide this/)).toContain("[Approve]");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a question of last week (row 81d)", () => {
  it("is decided at the first click, by who may, in a thread that was archived and after a restart", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const rig = await createRig({ answer: asksForUpgrade });
    const { id: thread } = rig.fake.as("maria").say("general", "@parley fix it");
    await rig.reads(thread, /\[Approve\]/);
    const old = card(rig, thread, "Approve");
    rig.fake.as("maria").archive(thread);
    await rig.close();
    vi.useFakeTimers({ now: Date.now() + 7 * 86_400_000, toFake: ["Date"] });
    const later = await rig.restart();
    const click = (name: string) => vi.waitFor(() => later.fake.as(name).click(old, "Approve"), OFTEN);
    await (await click("bob")).ended;
    // A click that a busy machine answers late is answered by a message that names the person.
    await later.reads(thread, /(only for @bob\).*\n|@bob )You can't decide this/);
    await click("maria");
    expect(await later.reads(thread, /approved\*\* by @maria[^]*Fixed\./)).not.toContain("[Approve]");
    expect(later.fake.violations).toEqual([]);
  });
});

describe("progress", () => {
  it("shows whether the conversation is Restricted or Unrestricted (row 81a)", async () => {
    const first = Promise.withResolvers<ModelOutcome>();
    const second = Promise.withResolvers<ModelOutcome>();
    const rig = await createRig({
      patience: 0,
      answer: (_messages, no) => (no === 1 ? first : second).promise,
    });
    const { id: thread } = rig.fake.as("maria").say("general", "@parley fix it");
    await rig.reads(thread, /Still working \(Restricted\): thinking/);
    first.resolve(asksForUpgrade([]));
    await rig.reads(thread, /\[Approve\]/);
    rig.fake.as("maria").click(card(rig, thread, "Approve"), "Approve");
    await rig.reads(thread, /Still working \(Unrestricted\): thinking/);
    second.resolve(textAnswer("Fixed."));
    await rig.reads(thread, /Fixed\./);
    expect(rig.fake.violations).toEqual([]);
  });
});

/** The agent asks for write access and then runs something. */
const changes = (messages: readonly PromptMessage[]): ModelOutcome => {
  const result = messages.at(-1)?.content.find((block) => block.kind === "toolResult");
  if (result === undefined) return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix" } });
  if (result.isError) return textAnswer("Then I leave it.");
  return JSON.stringify(messages.at(-1)).includes("now in Unrestricted")
    ? toolAnswer({ name: "bash", input: {} })
    : textAnswer("Fixed.");
};

/** People of whom most may not drive. */
const MANY: RigOptions["fake"] = {
  guilds: [
    {
      name: "Community",
      channels: [{ name: "general" }],
      members: [
        ...["alice", "bob", "carol", "dave"].map((name) => ({ name })),
        { name: "maria", roles: ["maintainer"] },
      ],
    },
  ],
};

describe("a request of somebody who may not drive (D39)", () => {
  it("becomes a card that says so; whoever approves is the speaker of the rest of the turn, and of no other", async () => {
    const runs: string[] = [];
    const run: Tools["run"] = ({ permission }) => {
      runs.push(permission);
      return Promise.resolve(toolResult("done"));
    };
    const rig = await createRig({ answer: changes, tools: { run } });
    const { id: thread } = rig.fake.as("bob").say("general", "@parley fix it");
    await rig.reads(
      thread,
      /Requested by @bob[^]*The person who asked has no write permission here[^]*\[Approve\]/,
    );
    rig.fake.as("bob").click(card(rig, thread, "Approve"), "Approve");
    await rig.reads(thread, /only for @bob\).*\nYou can't decide this/);
    rig.fake.as("maria").click(card(rig, thread, "Approve"), "Approve");
    await rig.reads(thread, /approved\*\* by @maria[^]*Fixed\.[^]*tricted[^·\n]* · [[`<]/);
    expect(runs).toEqual(["unrestricted"]);
    const [one] = rig.bot.list(1, null);
    expect(one?.state.turn.speaker).toMatchObject({
      id: `discord:${rig.fake.as("maria").id}`,
      mayDrive: true,
    });
    rig.fake.as("bob").say(thread, "@parley once more");
    await rig.reads(thread, /once more[^]*\[Approve\]/);
    expect(rig.bot.list(1, null)[0]?.state.turn.speaker).toMatchObject({ mayDrive: false });
    expect(rig.fake.violations).toEqual([]);
  });

  it("stands once a person, and the other thread says so; another person's is a card of its own", async () => {
    const rig = await createRig({ answer: asksForUpgrade, fake: MANY, bound: ["general"] });
    const first = rig.fake.as("bob").say("general", "@parley fix it").id;
    await rig.reads(first, /\[Approve\]/);
    const later = await rig.restart();
    const second = later.fake.as("bob").say("general", "@parley fix that too").id;
    const told = await later.reads(
      second,
      /Then I leave it\.[^]*@bob already has a request waiting[^]*tricted[^·\n]* · [[`<]/,
    );
    expect(told).not.toContain("[Approve]");
    const other = later.fake.as("carol").say("general", "@parley and this").id;
    await later.reads(other, /Requested by @carol[^]*\[Approve\]/);
    later.fake.as("maria").click(card(later, first, "Approve"), "Deny");
    await later.reads(first, /denied\*\* by @maria/);
    later.fake.as("bob").say(second, "@parley again");
    await later.reads(second, /again[^]*\[Approve\]/);
    expect(later.fake.violations).toEqual([]);
  });

  it("comes three times an hour in a channel, and then the thread says so", async () => {
    const rig = await createRig({ answer: asksForUpgrade, fake: MANY, bound: ["general"] });
    for (const name of ["bob", "carol", "alice", "dave"]) {
      const { id: thread } = rig.fake.as(name).say("general", `@parley fix it for ${name}`);
      const wanted = name === "dave" ? /Then I leave it[^]*three requests in the past hour/ : /\[Approve\]/;
      await rig.reads(thread, wanted);
    }
    expect(rig.fake.violations).toEqual([]);
  });

  it("with PARLEY_DISCORD_REQUESTS=off is no card: the asker is told what to do; who may approve is asked as ever", async () => {
    const rig = await createRig({ answer: asksForUpgrade, env: { PARLEY_DISCORD_REQUESTS: "off" } });
    const { id: thread } = rig.fake.as("bob").say("general", "@parley fix it");
    const told = await rig.reads(
      thread,
      /Then I leave it\.[^]*@bob has no write permission here[^]*can ask me for the change here[^]*tricted[^·\n]* · [[`<]/,
    );
    expect(told).not.toContain("[Approve]");
    rig.fake.as("maria").say(thread, "@parley fix it");
    await rig.reads(thread, /Requested by @maria[^]*\[Approve\]/);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("mode restricted and mode unrestricted (row 45)", () => {
  it("by slash command and as text: the second asks who may approve; a stranger is told what to do instead", async () => {
    const rig = await createRig();
    const { id: thread } = rig.fake.as("maria").say("general", "@parley hello");
    await rig.reads(thread, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    expect(await rig.run("bob", thread, "parley mode", { name: "unrestricted" })).toMatch(
      /You have no write permission here/,
    );
    await rig.run("maria", thread, "parley mode", { name: "unrestricted" });
    await rig.reads(thread, /Write access for this thread[^]*Requested by @maria[^]*\[Approve\]/);
    rig.fake.as("maria").click(card(rig, thread, "Approve"), "Approve");
    await rig.reads(thread, /approved\*\* by @maria/);
    rig.fake.as("bob").say(thread, "@parley mode restricted");
    await rig.reads(thread, /@bob set this thread back to Restricted/);
    rig.fake.as("maria").say(thread, "@parley mode unrestricted");
    await rig.reads(thread, /Write access for this thread\?[^]*\[Approve\]/);
    expect(rig.fake.violations).toEqual([]);
  });
});
