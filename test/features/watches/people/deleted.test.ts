/** Posts that must not be read any more when their look begins or ends: they leave nothing, on both platforms. */

import { describe, expect, it } from "vitest";
import type { HostOptions } from "../../../adapters/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { type LookScene, lookScene, PEOPLE_SOURCE } from "./scene.ts";

const POST = "The zebracat crashes";

/** Looks at posts with the words wait for the gate. */
const waitingFor = (words: string, gate: Promise<void>): NonNullable<HostOptions["answer"]> => {
  const decide = deciding(crashes);
  return async (messages, no) => {
    if (lookIn(messages)?.post.includes(words) === true) await gate;
    return decide(messages, no);
  };
};

const postsRead = ({ asked }: Pick<LookScene, "asked">): readonly string[] =>
  asked.flatMap((messages) => lookIn(messages)?.post ?? []);

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  it("a post that is deleted while it waits for its look is not read", async () => {
    const gate = Promise.withResolvers<void>();
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: waitingFor("first", gate.promise) });
    scene.post("bob", "The first part crashes");
    await expect.poll(() => postsRead(scene)).toEqual(["The first part crashes"]);
    const root = scene.post("carol", POST);
    await expect.poll(() => scene.waiting()).toBe(2);
    scene.remove(root, "carol");
    gate.resolve();
    await scene.heard();
    expect(postsRead(scene)).toEqual(["The first part crashes"]);
    expect(scene.stored("zebracat")).toEqual([]);
    expect(scene.bot.list(10, null).length).toBe(1);
  });

  it("a post whose author asks to be ignored while the post waits is not read", async () => {
    const gate = Promise.withResolvers<void>();
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: waitingFor("first", gate.promise) });
    scene.post("bob", "The first part crashes");
    await expect.poll(() => postsRead(scene)).toEqual(["The first part crashes"]);
    scene.post("carol", POST);
    await expect.poll(() => scene.waiting()).toBe(2);
    expect(await scene.order("carol", "ignore", { who: "me" })).toMatch(/No watch reads your posts/);
    gate.resolve();
    await scene.heard();
    expect(postsRead(scene)).toEqual(["The first part crashes"]);
    expect(scene.stored("zebracat")).toEqual([]);
  });

  it("a post whose author asks to be ignored during the look begins no thread", async () => {
    const gate = Promise.withResolvers<void>();
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: waitingFor("zebracat", gate.promise) });
    scene.post("carol", POST);
    await expect.poll(() => postsRead(scene)).toEqual([POST]);
    await scene.order("carol", "ignore", { who: "me" });
    gate.resolve();
    await scene.heard();
    expect(scene.bot.list(10, null)).toEqual([]);
  });

  it("a post that is deleted during its look begins no thread", async () => {
    const gate = Promise.withResolvers<void>();
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: waitingFor("zebracat", gate.promise) });
    const root = scene.post("bob", POST);
    await expect.poll(() => postsRead(scene)).toEqual([POST]);
    scene.remove(root, "bob");
    gate.resolve();
    await scene.heard();
    expect(scene.bot.list(10, null)).toEqual([]);
    expect(scene.stored("zebracat")).toEqual([]);
    expect(scene.violations()).toEqual([]);
  });

  it("a post that is deleted while its thread begins takes the thread along", async () => {
    const creating = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const scene = await lookScene(platform, PEOPLE_SOURCE, {
      answer: deciding(crashes),
      store: (store) => ({
        ...store,
        create: async (...given) => {
          creating.resolve();
          await gate.promise;
          return store.create(...given);
        },
      }),
    });
    const root = scene.post("bob", POST);
    await creating.promise;
    // The deletion arrives before the conversation exists.
    scene.remove(root, "bob");
    await scene.arrived();
    gate.resolve();
    await scene.heard();
    await expect.poll(() => scene.stored("zebracat")).toEqual([]);
  });
});
