/** Answers and messages that no reader of Markdown was made for arrive in the thread, and the next message is answered. */

import { describe, expect, it } from "vitest";
import { textAnswer } from "../runtime/world.ts";
import { createRig as createDiscordRig } from "./discord/rig.ts";
import { createRig as createSlackRig } from "./slack/rig.ts";

const POISONS: readonly (readonly [string, string])[] = [
  ["quotes around a table", `${">".repeat(3_700)} a | b\n-|-\n1 | 2`],
  ["a fence of dashes", `\`\`\`${"-".repeat(60_000)}\na\n\`\`\``],
  ["a citation and dots", `README.md:1 ${".".repeat(60_000)}`],
  ["a name and its value, again and again", "PASSWORD=a1".repeat(3_000)],
];

/** As people can paste it. */
const PASTES: readonly (readonly [string, string])[] = [
  ["blanks", `${" ".repeat(39_000)}x`],
  ["exclamation marks", `${"!".repeat(30_000)}x`],
  ["quote marks", ">".repeat(4_000)],
];

const answersOf =
  (poison: string) =>
  (_: unknown, no: number): ReturnType<typeof textAnswer> =>
    textAnswer(no === 1 ? `${poison}\n\nthe end of it` : `Answer ${no}.`);

describe.each(POISONS)("an answer of %s", (_, poison) => {
  it("arrives on Slack", async () => {
    const rig = await createSlackRig({ answer: answersOf(poison) });
    const root = rig.fake.as("bob").say("@parley go", { channel: "general" });
    await rig.thread(root, /(?:the end of it|The whole answer)[^]*Restricted ·/);
    rig.fake.as("bob").say("@parley and now?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2[^]*Restricted ·/);
    expect(rig.fake.violations).toEqual([]);
    expect(rig.logged.filter((line) => line.startsWith("fault"))).toEqual([]);
  });

  it("arrives on Discord", async () => {
    const rig = await createDiscordRig({ answer: answersOf(poison) });
    const root = rig.fake.as("bob").say("general", "@parley go");
    await rig.reads(root.id, /(?:the end of it|The whole answer)[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(root.id, "@parley and now?");
    await rig.reads(root.id, /Answer 2[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.fake.violations).toEqual([]);
    expect(rig.logged.filter((line) => line.startsWith("fault"))).toEqual([]);
  });
});

describe.each(PASTES)("a message of %s", (_, paste) => {
  it("is answered on Slack, whether or not it is addressed to the bot, and so is the next one", async () => {
    const rig = await createSlackRig();
    rig.fake.as("carol").say(paste, { channel: "general" });
    const root = rig.fake.as("bob").say(`@parley ${paste}`, { channel: "general" });
    await rig.thread(root, /Answer 1[^]*Restricted ·/);
    rig.fake.as("bob").say("@parley and now?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2[^]*Restricted ·/);
    expect(rig.fake.violations).toEqual([]);
  });
});
