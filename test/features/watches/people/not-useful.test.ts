/** *Not useful* below the line about a duplicate, which has no conversation: who may say so, and what the person is told. */

import { describe, expect, it } from "vitest";
import type { HostOptions } from "../../../adapters/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { type LookScene, lookScene, PEOPLE_SOURCE } from "./scene.ts";

const DUPLICATE = "Empty cart: is the cart page broken?";
const NOTED = "Noted: this watch takes the post as an example";
const REFUSED = "Only the author of the post, or a person with write permission";

const knowing: HostOptions["answer"] = deciding((look) => {
  const [first] = look.matters;
  return first === undefined ? crashes(look) : { decision: "duplicate", link: first.link, reason: "Known." };
}, "The cart has no rows, see src/cart.ts:3.");

const examplesIn = ({ asked }: LookScene) =>
  asked.flatMap((messages) => lookIn(messages)?.examples ?? []).map(({ post }) => post);

const nextLook = async (scene: LookScene): Promise<readonly string[]> => {
  scene.post("alice", "The importer crashes at night");
  await scene.heard();
  return examplesIn(scene);
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begun = async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, {
      answer: knowing,
      outside: { link: async (_, { root }) => `https://chat.example/${root}` },
    });
    const first = scene.post("bob", "The cart page crashes when it is empty");
    await scene.reads(first, /\[Ask a maintainer\]/);
    const root = scene.post("carol", DUPLICATE);
    await scene.reads(root, /This seems to be known already/);
    return { scene, root };
  };

  it("the author makes the post an example, once, and is told so", async () => {
    const { scene, root } = await begun();
    scene.click(root, "carol", "Not useful");
    await expect.poll(() => scene.whispered("carol")).toContain(NOTED);
    scene.click(root, "carol", "Not useful");
    await scene.heard();
    expect(await nextLook(scene)).toEqual([DUPLICATE]);
    expect(scene.violations()).toEqual([]);
  });

  it("another person needs write permission, and reads the outcome in private", async () => {
    const { scene, root } = await begun();
    scene.click(root, "bob", "Not useful");
    const mayDrive = platform === "slack";
    await expect.poll(() => scene.whispered("bob")).toContain(mayDrive ? NOTED : REFUSED);
    expect(await nextLook(scene)).toEqual(mayDrive ? [DUPLICATE] : []);
  });

  it("a person with write permission makes the post of another an example", async () => {
    const { scene, root } = await begun();
    scene.click(root, "alice", "Not useful");
    await expect.poll(() => scene.whispered("alice")).toContain(NOTED);
    expect(await nextLook(scene)).toEqual([DUPLICATE]);
  });
});
