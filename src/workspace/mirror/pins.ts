/** A pin is an empty host file that no command can write. Without a pin, a generation below the newest is removed (D28). */

import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY, type Millis } from "../../machine/id.ts";
import { discardTree } from "../disk/staging.ts";
import { unlessMissing, writeDurably } from "../disk/durable.ts";
import { createRefCounts } from "../disk/ref-counts.ts";
import type { Layout } from "../disk/layout.ts";

/** Time that an unused mirror is kept, so that the repository's next thread needs no full fetch. */
export const UNUSED: Millis = 7 * DAY;

export type Pins = ReturnType<typeof createPins>;

export const createPins = (layout: Layout) => {
  const holds = createRefCounts();
  return {
    /** Keeps a generation until `add` has written the pin. Synchronous, so that no removal can happen in between. */
    hold: (key: string, generation: number): Disposable => holds.hold(`${key}/${generation}`),
    add: async (key: string, generation: number, id: string): Promise<void> => {
      const directory = layout.pins(key, generation);
      await mkdir(directory, { recursive: true });
      await writeDurably(join(directory, id), "");
    },
    /** Does nothing while a conversation starts: a starting one holds the generation, or has a pin without a known commit. */
    removeTrees: async (
      key: string,
      generation: number,
      commitOf: (id: string) => Promise<string | null>,
      remove: (path: string) => Promise<void>,
    ): Promise<void> => {
      const names = await namesIn(layout.trees(key, generation));
      const inUse = await Promise.all((await namesIn(layout.pins(key, generation))).map(commitOf));
      if (inUse.includes(null)) return;
      const unused = names.filter((name) => !inUse.includes(/^[0-9a-f]+/.exec(name)?.[0] ?? ""));
      for (const name of unused) {
        // Checked again for each tree, because removing the others took time.
        if (holds.has(`${key}/${generation}`)) return;
        const now = await Promise.all((await namesIn(layout.pins(key, generation))).map(commitOf));
        if (now.includes(null) || holds.has(`${key}/${generation}`)) return;
        if (now.some((commit) => commit !== null && name.startsWith(commit))) continue;
        await remove(join(layout.trees(key, generation), name));
      }
    },
    /** Returns whether the mirror was removed. The mirror must not be refreshed in the meantime. */
    removeUnused: async (key: string, since: Millis): Promise<boolean> => {
      const generations = await generationsOf(layout, key);
      for (const generation of generations) {
        const directory = layout.pins(key, generation);
        const found =
          (await stat(directory).catch(unlessMissing)) ??
          // The mirror was read ahead, and no conversation followed.
          (await stat(layout.generation(key, generation)).catch(unlessMissing));
        if (found === null || found.mtimeMs >= since || (await namesIn(directory)).length > 0) return false;
      }
      // By now, each conversation that started before this call holds its generation or has a pin.
      if (generations.length === 0 || generations.some((each) => holds.has(`${key}/${each}`))) return false;
      for (const generation of generations) await discardTree(layout, layout.trees(key, generation), "trees");
      await discardTree(layout, layout.repository(key), "mirror");
      return true;
    },
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

/** The oldest first. */
export const generationsOf = async (layout: Layout, key: string): Promise<readonly number[]> =>
  (await namesIn(layout.repository(key)))
    .flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);

export const namesIn = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory).catch(unlessMissing)) ?? [];
