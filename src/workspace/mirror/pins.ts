/**
 * Which generations of a mirror are still needed. A pin is an empty file of the host, outside everything that a
 * command can write; a generation that nobody pins and that is not the newest is removed with its trees (D28).
 */

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing, writeDurably } from "../durable.ts";
import { createHolds } from "../holds.ts";
import type { Layout } from "../layout.ts";

export type Pins = ReturnType<typeof createPins>;

export const createPins = (layout: Layout) => {
  const holds = createHolds();
  return {
    /**
     * Keeps a generation for the time until `add` has written the lasting pin. Synchronous, so that no removal can come
     * between learning of a generation and holding it.
     */
    hold: (key: string, generation: number): Disposable => holds.hold(`${key}/${generation}`),
    add: async (key: string, generation: number, id: string): Promise<void> => {
      const directory = layout.pins(key, generation);
      await mkdir(directory, { recursive: true });
      await writeDurably(join(directory, id), "");
    },
    /** Removes every generation below `newest` that is neither held nor pinned. */
    removeOlder: async (key: string, newest: number): Promise<void> => {
      for (const generation of await generationsOf(layout, key)) {
        if (generation >= newest || holds.has(`${key}/${generation}`)) continue;
        if ((await namesIn(layout.pins(key, generation))).length > 0) continue;
        await rm(layout.trees(key, generation), { recursive: true, force: true });
        await rm(layout.generation(key, generation), { recursive: true, force: true });
        await rm(layout.dirty(key, generation), { force: true });
        await rm(layout.pins(key, generation), { recursive: true, force: true });
      }
    },
  };
};

/** Whole generations, oldest first. */
export const generationsOf = async (layout: Layout, key: string): Promise<readonly number[]> =>
  (await namesIn(layout.repository(key)))
    .flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);

/** Names in a directory of the host's own; none where it does not exist. */
export const namesIn = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory).catch(unlessMissing)) ?? [];
