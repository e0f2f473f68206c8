/** *Ask a maintainer* below a look: the people whom the operator lists are notified in the thread, once, and nobody else. */

import { describe, expect, it } from "vitest";
import { crashes, deciding } from "./first-model.ts";
import { plainThread } from "./plain.ts";
import { lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /\[Ask a maintainer\]/;
const POST = "The cart crashes when it is empty";
const ASKED = /asks (?:a|for a) maintainer/;

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  it("asks the listed approver in the thread, whoever clicks, and once", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, {
      answer: deciding(crashes, CITED),
      isListed: true,
    });
    const root = scene.post("bob", POST);
    await scene.reads(root, END);
    const asked = scene.asked.length;
    scene.click(root, "carol", "Ask a maintainer");
    await scene.reads(root, ASKED);
    await scene.heard();
    scene.click(root, "bob", "Ask a maintainer");
    await expect.poll(() => scene.whispered("bob")).toContain("already been notified here");
    const text = scene.text(root);
    expect(text.match(new RegExp(ASKED, "g"))).toHaveLength(1);
    expect(text).toContain("carol");
    expect(scene.whispered("carol")).toBe("");
    expect(scene.notified()).toHaveLength(1);
    expect(scene.notified().join("")).toMatch(/UALICE|@alice/);
    // A click of help starts no turn.
    expect(scene.asked.length).toBe(asked);
    expect(scene.violations()).toEqual([]);
    await expect(plainThread(text)).toMatchFileSnapshot(`golden/help.${platform}.txt`);
  });

  it("says to the person alone that nobody can be notified, if the operator lists nobody", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes, CITED) });
    const root = scene.post("bob", POST);
    const before = await scene.reads(root, END);
    scene.click(root, "bob", "Ask a maintainer");
    await expect.poll(() => scene.whispered("bob")).toContain("Nobody was notified");
    expect(scene.notified()).toEqual([]);
    expect(before).not.toMatch(ASKED);
    expect(scene.text(root)).not.toMatch(ASKED);
  });
});
