/** Reads of a post before and after its look: a failed read is no deletion, and a deletion is no failed read. */

import { describe, expect, it } from "vitest";
import type { HostOptions } from "../../../adapters/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { type LookScene, lookScene, PEOPLE_SOURCE, type ReadFault } from "./scene.ts";

const POST = "The zebracat crashes";

/** The deletion arrives before the conversation exists, and the read after that fails `times` times. */
const deletedBefore = async (platform: LookScene["platform"], times: number): Promise<LookScene> => {
  const creating = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const store: NonNullable<HostOptions["store"]> = (inner) => ({
    ...inner,
    create: async (...given) => {
      creating.resolve();
      await gate.promise;
      return inner.create(...given);
    },
  });
  const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes), store });
  const root = scene.post("bob", POST);
  await creating.promise;
  scene.remove(root, "bob");
  await scene.arrived();
  scene.failReads(times);
  gate.resolve();
  await expect.poll(() => scene.stored("zebracat")).toContain("watch_threads");
  return scene;
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  it.each([503, 429, "cut"] as const)(
    "a read that ends with %s does not report a deletion",
    async (fault: ReadFault) => {
      const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes) });
      const root = scene.post("bob", "lunch?");
      await scene.heard();
      scene.failReads(1, fault);
      expect((await scene.readPost(root))?.kind).not.toBe("deleted");
      expect(await scene.readPost(root)).toEqual({ kind: "read", text: "lunch?" });
      scene.remove(root, "bob");
      await scene.heard();
      scene.failReads(1, fault);
      expect((await scene.readPost(root))?.kind).not.toBe("read");
      expect(await scene.readPost(root)).toEqual({ kind: "deleted" });
    },
  );

  it("a post gets its look although reads of the post fail", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, { answer: deciding(crashes) });
    scene.failReads(2);
    const root = scene.post("bob", POST);
    await scene.reads(root, /Answer \d\./);
    expect(scene.asked.flatMap((messages) => lookIn(messages)?.post ?? [])).toEqual([POST]);
  });

  it("a failed last check is repeated, and a deleted post takes its look along", async () => {
    const scene = await deletedBefore(platform, 1);
    await expect.poll(() => scene.stored("zebracat"), { timeout: 30_000 }).toEqual([]);
  });

  it("a look without its last check is checked by the next process", async () => {
    const scene = await deletedBefore(platform, 1);
    await scene.again();
    await expect.poll(() => scene.stored("zebracat"), { timeout: 30_000 }).toEqual([]);
  });
});
