/** What a process that died left behind, cleared before the next one begins: it runs alone. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Millis } from "../../machine/id.ts";
import { attempt } from "../git-trouble.ts";
import type { Layout } from "../layout.ts";
import { generationsOf, namesIn, type Pins, UNUSED } from "../mirror/pins.ts";
import { removeTree } from "../aside.ts";
import { undoSwaps } from "../drafts/swap.ts";
import { commitOf, readRecord } from "./record.ts";
import { removeHalf } from "../set-up/cache.ts";

/** Half-made mirrors, checkouts and set-ups, pins of conversations that never came to be, generations nobody needs. */
export const sweep = async (data: string, layout: Layout, pins: Pins, now: Millis): Promise<void> => {
  await undoSwaps(layout);
  await removeTree(layout.staging);
  await removeHalf(layout);
  for (const key of await namesIn(join(data, "repos"))) {
    const generations = await generationsOf(layout, key);
    const newest = generations.at(-1);
    if (newest === undefined) continue;
    for (const generation of generations) await dropStalePins(layout, key, generation);
    await pins.removeOlder(key, newest);
    await pins.removeTrees(key, newest, (id) => commitOf(layout, id), removeTree);
    await pins.removeUnused(key, now - UNUSED);
  }
};

const dropStalePins = async (layout: Layout, key: string, generation: number): Promise<void> => {
  const directory = layout.pins(key, generation);
  for (const id of await namesIn(directory)) {
    const read = await attempt(() => readRecord(layout, id));
    /* Whose record cannot be read may still need it: nothing is deleted on a doubt. */
    if (read.kind !== "done") continue;
    if (read.value?.key === key && read.value.generation === generation) continue;
    await rm(join(directory, id), { force: true });
  }
};
