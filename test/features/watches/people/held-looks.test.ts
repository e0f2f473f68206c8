/** A look whose answer waits for a maintainer: its line and buttons come with the released answer. */

import { describe, expect, it } from "vitest";
import { crashes, deciding } from "./first-model.ts";
import { plainThread } from "./plain.ts";
import { lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /\[Ask a maintainer\]/;
const POST = "The cart crashes when it is empty";

const heldThread = (text: string): string =>
  plainThread(text).replaceAll(/<t:\d+:t>|<!date\^[^>]*>/g, "23:11");

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  it("a held answer comes with its line and buttons only when a maintainer releases the answer", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes, CITED) });
    const on = { change: "on", channel: scene.review };
    expect(await scene.order("alice", "review", on)).toMatch(/reviewed in #?maintainers|reviewed in <#/);
    const root = scene.post("bob", POST);
    const held = await scene.reads(root, /A maintainer reviews it before it is posted here/);
    await expect.poll(() => scene.channel("maintainers")).toMatch(/The cart has no rows[^]*\[Send\]/);
    await scene.heard();
    expect(held + scene.text(root)).not.toMatch(/The cart has no rows|\[File an issue\]|know the code best/);
    scene.decide("alice", "Send");
    const text = await scene.reads(root, END);
    expect(text).toMatch(/The cart has no rows[^]*know the code best[^]*\[File an issue\]/);
    expect(text.match(/\[File an issue\]/g)).toHaveLength(1);
    expect(text).not.toContain("watch:noticed");
    await expect(heldThread(text)).toMatchFileSnapshot(`golden/held.${platform}.txt`);
    expect(scene.violations()).toEqual([]);
  });

  it("a discarded answer gets neither the line nor the buttons", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes, CITED) });
    await scene.order("alice", "review", { change: "on", channel: scene.review });
    const root = scene.post("bob", POST);
    await expect.poll(() => scene.channel("maintainers")).toMatch(/The cart has no rows[^]*\[Send\]/);
    scene.decide("alice", "Discard");
    const text = await scene.reads(root, /decided not to post the answer/);
    await scene.heard();
    expect(text + scene.text(root)).not.toMatch(/The cart has no rows|\[File an issue\]|know the code best/);
  });
});
