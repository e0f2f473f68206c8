/** The author of a look's post takes over by replying, whatever a passer-by did before (D45, D55). */

import { describe, expect, it } from "vitest";
import { crashes, deciding } from "./first-model.ts";
import { plainThread } from "./plain.ts";
import { type LookScene, lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /\[Ask a maintainer\]/;
const HINT = /I only read messages that mention/;

const speakerOf = async (scene: LookScene) => {
  const [one] = scene.bot.list(10, null);
  return one === undefined ? null : (await scene.bot.read(one.conversation.id))?.state.turn.speaker;
};

/** Hints are private on Slack, and replies in the thread on Discord. */
const toldIn = (scene: LookScene, root: string): string => scene.whispered("bob") + scene.text(root);

const answered = async (scene: LookScene, count: number): Promise<void> => {
  await expect.poll(() => scene.asked.length).toBe(count);
  await expect.poll(() => scene.bot.list(10, null)[0]?.state.phase.kind).toBe("idle");
  await scene.heard();
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begun = async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes, CITED) });
    const root = scene.post("bob", "The cart crashes when it is empty");
    await scene.reads(root, END);
    return { scene, root, asked: scene.asked.length };
  };

  it("a passer-by who mentions Parley asks in their own rights; then the author takes over by replying", async () => {
    const { scene, root, asked } = await begun();
    scene.reply(root, "carol", "@parley and with two carts?");
    await answered(scene, asked + 1);
    await scene.reads(root, /two carts[^]*The cart has no rows[^]*\[👎\]/);
    const passer = await speakerOf(scene);
    expect(passer?.name).toMatch(/carol/i);
    expect(passer?.mayApprove).toBe(false);
    expect(passer?.mayDrive).toBe(platform === "slack");
    scene.reply(root, "bob", "it is version 4.2");
    await answered(scene, asked + 2);
    expect((await speakerOf(scene))?.name).toMatch(/bob/i);
    expect(toldIn(scene, root)).not.toMatch(HINT);
    await expect(
      plainThread(await scene.reads(root, /4\.2[^]*The cart has no rows[^]*\[👎\]/)),
    ).toMatchFileSnapshot(`golden/passer-by.${platform}.txt`);
    expect(scene.violations()).toEqual([]);
  });

  it("from then on, the thread is like any thread of several people: both mention Parley, and each is told once", async () => {
    const { scene, root, asked } = await begun();
    scene.reply(root, "carol", "@parley and with two carts?");
    await answered(scene, asked + 1);
    scene.reply(root, "bob", "it is version 4.2");
    await answered(scene, asked + 2);
    scene.reply(root, "bob", "carol, did you see that too?");
    await expect.poll(() => toldIn(scene, root)).toMatch(HINT);
    await scene.heard();
    expect(scene.asked.length).toBe(asked + 2);
    scene.reply(root, "bob", "@parley where is that tested?");
    await answered(scene, asked + 3);
  });

  it("a passer-by without a mention is not answered, before and after a mention of another passer-by", async () => {
    const { scene, root, asked } = await begun();
    scene.reply(root, "alice", "same here");
    await scene.heard();
    scene.reply(root, "carol", "@parley and with two carts?");
    await answered(scene, asked + 1);
    scene.reply(root, "alice", "since Monday");
    await scene.heard();
    expect(scene.asked.length).toBe(asked + 1);
  });
});
