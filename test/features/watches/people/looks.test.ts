/**
 * Looks as an author (bob) and a passer-by (carol) see them on both platforms. Until the author takes over, nothing but reading
 * happens; no post has an effect or notifies anybody.
 */

import { describe, expect, it } from "vitest";
import type { HostOptions } from "../../../adapters/rig.ts";
import { textAnswer, toolAnswer } from "../../../runtime/world.ts";
import { LABELED } from "../posts/labeled.ts";
import { type AskedLook, crashes, deciding, lookIn } from "./first-model.ts";
import { plainThread } from "./plain.ts";
import { EMOJI_SOURCE, type LookScene, lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /These people know the code best\. I have not notified them\./;

const echo = (look: AskedLook): unknown => ({ decision: "look", link: null, reason: look.post });

/** A model that obeys the post: it asks for write access, then repeats everything to the channel. */
const obeyingAnswer: HostOptions["answer"] = (messages, no) => {
  if (lookIn(messages) !== null) return deciding(echo)(messages, no);
  return no % 2 === 0
    ? toolAnswer({ name: "request_mode_upgrade" })
    : textAnswer("<!channel> @everyone <@UALICE> done");
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begin = (answer: HostOptions["answer"] = deciding(crashes, CITED), more: Partial<HostOptions> = {}) =>
    lookScene(platform, PEOPLE_SOURCE, { answer, ...more });

  it("a bug report gets a cited look, its owners without a notification, and three buttons", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The cart crashes when it is empty");
    const text = await scene.reads(root, END);
    expect(text).toMatch(/If the author of the post replies here, I work for the author\./);
    expect(text).toMatch(/src\/cart\.ts: @acme\/shop/);
    for (const label of ["File an issue", "Not useful", "Ask a maintainer"])
      expect(text).toContain(`[${label}]`);
    expect(text.indexOf("The cart has no rows")).toBeLessThan(text.indexOf("These people know"));
    expect(scene.notified()).toEqual([]);
    expect(scene.violations()).toEqual([]);
    await expect(plainThread(text)).toMatchFileSnapshot(`golden/bug.${platform}.txt`);
  });

  it("a question is answered the same way; code without an owner names who changed it, as a quote", async () => {
    const look = deciding(
      ({ post }) => ({ decision: /\?/.test(post) ? "look" : "nothing", link: null, reason: "r" }),
      "See src/time.ts:9.",
    );
    const scene = await begin(look);
    const root = scene.post("bob", "Where do we set the session timeout?");
    const text = await scene.reads(root, END);
    expect(text).toMatch(/src\/time\.ts:9: Ada/);
    expect(scene.notified()).toEqual([]);
    await expect(plainThread(text)).toMatchFileSnapshot(`golden/question.${platform}.txt`);
  });

  it("chatter gets nothing, whoever writes below it", async () => {
    const scene = await begin();
    const root = scene.post("bob", "lunch?");
    await scene.heard();
    expect(scene.text(root)).toBe("");
    expect(scene.bot.list(10, null)).toEqual([]);
  });

  it("people below a look talk to each other; the author takes over by replying, with the author's rights", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The cart crashes when it is empty");
    await scene.reads(root, END);
    const asked = scene.asked.length;
    scene.reply(root, "carol", "same here since Monday");
    await scene.heard();
    expect(scene.asked.length).toBe(asked);
    expect(scene.text(root)).not.toContain("only read messages that mention");
    scene.reply(root, "bob", "it is version 4.2");
    await expect.poll(() => scene.asked.length).toBe(asked + 1);
    await scene.heard();
    const [one] = scene.bot.list(10, null);
    const speaker =
      one === undefined ? null : (await scene.bot.read(one.conversation.id))?.state.turn.speaker;
    expect(speaker?.name).toMatch(/bob/i);
    expect(speaker?.mayApprove).toBe(false);
    await expect(plainThread(await scene.reads(root, /4\.2[^]*The cart has no rows/))).toMatchFileSnapshot(
      `golden/taken-over.${platform}.txt`,
    );
  });

  it("File an issue asks in the name of whoever clicks, once", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The cart crashes when it is empty");
    await scene.reads(root, END);
    const asked = scene.asked.length;
    scene.click(root, "bob", "File an issue");
    await expect.poll(() => scene.asked.length).toBe(asked + 1);
    await scene.heard();
    scene.click(root, "bob", "File an issue");
    await scene.heard();
    expect(scene.asked.length).toBe(asked + 1);
    const [one] = scene.bot.list(10, null);
    const speaker =
      one === undefined ? null : (await scene.bot.read(one.conversation.id))?.state.turn.speaker;
    expect(speaker?.name).toMatch(/bob/i);
  });

  it("Not useful makes the post an example for later looks, if its author says so", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The cart crashes when it is empty");
    await scene.reads(root, END);
    scene.click(root, "bob", "Not useful");
    await scene.heard();
    scene.post("carol", "The list crashes too");
    await scene.heard();
    const examples = scene.asked.flatMap((messages) => lookIn(messages)?.examples ?? []);
    expect(examples).toEqual([{ post: "The cart crashes when it is empty", decision: "nothing" }]);
  });

  it("an emoji asks for whoever adds it", async () => {
    const scene = await lookScene(platform, EMOJI_SOURCE, { answer: () => textAnswer(CITED) });
    const root = scene.post("bob", "The cart crashes when it is empty");
    scene.react(root, "carol");
    const text = await scene.reads(root, /The cart has no rows/);
    expect(text).toMatch(/carol/);
    await expect(plainThread(text)).toMatchFileSnapshot(`golden/emoji.${platform}.txt`);
  });

  it("no post has an effect without a click, and none notifies anybody", async () => {
    const hostile = LABELED.filter(({ kind }) => kind === "injection" || kind === "bug with injection");
    const scene = await begin(obeyingAnswer);
    const roots = hostile.map(({ text }) => scene.post("bob", text));
    await scene.heard();
    await expect
      .poll(() => scene.bot.list(100, null).filter(({ state }) => state.phase.kind !== "idle"))
      .toEqual([]);
    for (const { conversation, state } of scene.bot.list(100, null)) {
      expect(conversation.createdBy).toBe("watch:noticed");
      expect(state.turn.speaker?.mayDrive).toBe(false);
    }
    expect(scene.bot.list(100, null).length).toBeGreaterThan(0);
    for (const root of roots) expect(scene.text(root)).not.toMatch(/\[Approve\]/);
    expect(scene.notified()).toEqual([]);
    expect(scene.violations()).toEqual([]);
  });
});

it("a watch that says `notify owners` notifies the owners of the operator's table, and nobody else", async () => {
  const owners = new Map([["@acme/shop", ["slack:UALICE"]]]);
  const scene: LookScene = await lookScene(
    "slack",
    { ...PEOPLE_SOURCE, notifyOwners: true },
    {
      answer: deciding(crashes, CITED),
      outside: { owners },
    },
  );
  const root = scene.post("bob", "The cart crashes when it is empty");
  await scene.reads(root, /This watch notifies the owners\./);
  expect(scene.notified().length).toBe(1);
  expect(scene.notified().join("\n")).toContain("<@UALICE>");
  expect(scene.notified().join("\n")).not.toContain("<!");
});
