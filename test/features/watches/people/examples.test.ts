/** Examples have words of posts: a deleted post and an opt-out remove them, on both platforms. */

import { describe, expect, it } from "vitest";
import { createLookRows } from "../../../../src/features/watches/store/look-rows.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { type LookScene, lookScene, PEOPLE_SOURCE } from "./scene.ts";

const examplesIn = ({ asked }: Pick<LookScene, "asked">): readonly string[] =>
  (lookIn(asked.at(-1) ?? [])?.examples ?? []).map(({ post }) => post);

/** As the console corrects a silent decision. */
const correct = async ({ opened, platform }: LookScene, post: string, text: string): Promise<void> => {
  const looks = createLookRows(opened.rows, silentLog);
  const look = looks.lately("noticed", 10).find((one) => one.post === post);
  const { place = "", author = null } = look ?? {};
  const what = { watch: "noticed", surface: platform, place, post, author, text } as const;
  const done = await looks.correct({
    ...what,
    id: post,
    decided: "nothing",
    correct: "look",
    by: "console:operator",
    at: 9,
  });
  expect(done).toMatchObject({ kind: "done" });
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begin = (): Promise<LookScene> => lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes) });

  it("a deleted post without a thread is no example any more, and others remain", async () => {
    const scene = await begin();
    const gone = scene.post("bob", "a zebracat for lunch?");
    const kept = scene.post("bob", "a zebradog for dinner?");
    await scene.heard();
    await correct(scene, gone, "a zebracat for lunch?");
    await correct(scene, kept, "a zebradog for dinner?");
    expect(scene.stored("zebracat")).toEqual(["look_corrections"]);
    scene.remove(gone, "bob");
    await scene.heard();
    expect(scene.stored("zebracat")).toEqual([]);
    scene.post("carol", "something else?");
    await scene.heard();
    expect(examplesIn(scene)).toEqual(["a zebradog for dinner?"]);
  });

  it("a deleted post takes its example along with its thread", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The zebracat crashes");
    await scene.reads(root, /Answer \d\./);
    await scene.heard();
    await correct(scene, root, "The zebracat crashes");
    scene.remove(root, "bob");
    await expect.poll(() => scene.stored("zebracat")).toEqual([]);
  });

  it("a look at a post of a person who is ignored since then becomes no example", async () => {
    const scene = await begin();
    const root = scene.post("bob", "The zebracat crashes");
    await scene.reads(root, /\[Not useful\]/);
    await scene.order("bob", "ignore", { who: "me" });
    scene.click(root, "alice", "Not useful");
    await scene.heard();
    expect(scene.whispered("alice")).toMatch(/cannot become an example/);
    expect(scene.stored("zebracat")).not.toContain("look_corrections");
  });

  it("`ignore me` removes the person's examples, and nobody else's", async () => {
    const scene = await begin();
    const own = scene.post("bob", "a zebracat for lunch?");
    const other = scene.post("carol", "a zebradog for dinner?");
    await scene.heard();
    await correct(scene, own, "a zebracat for lunch?");
    await correct(scene, other, "a zebradog for dinner?");
    expect(await scene.order("bob", "ignore", { who: "me" })).toMatch(/No watch reads your posts/);
    expect(scene.stored("zebracat")).toEqual([]);
    expect(scene.stored("zebradog")).toEqual(["look_corrections"]);
  });
});

it("on Discord, a post that loses only its thread stays an example (D55)", async () => {
  const scene = await lookScene("discord", PEOPLE_SOURCE, { answer: deciding(crashes) });
  const root = scene.post("bob", "The zebracat crashes");
  await scene.reads(root, /Answer \d\./);
  await scene.heard();
  await correct(scene, root, "The zebracat crashes");
  scene.removeThread(root);
  await scene.heard();
  // The look is gone with its thread.
  await expect.poll(() => scene.stored("zebracat")).toEqual(["look_corrections"]);
  scene.remove(root, "bob");
  await scene.heard();
  expect(scene.stored("zebracat")).toEqual([]);
});
