/** `done.json` is written last and removed first: a directory that contains it is complete, and nothing writes to it. */

import { mkdir, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DAY, type Millis } from "../../machine/id.ts";
import { readJson, writeDurably } from "../disk/durable.ts";
import { createRefCounts } from "../disk/ref-counts.ts";
import type { Layout } from "../disk/layout.ts";
import { namesIn } from "../mirror/pins.ts";
import { removeTree } from "../disk/staging.ts";

/** Time without use after which a directory is removed: STALE whenever space is made, SPARE if space is short. */
const STALE: Millis = 30 * DAY;
const SPARE: Millis = DAY;

const schema = z.strictObject({
  version: z.literal(1),
  commit: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  seconds: z.number(),
  bytes: z.number(),
  files: z.number(),
});

type Made = Readonly<z.infer<typeof schema>>;

/** In a complete directory, every user can read `work` and `home`, and none can write. */
export interface PreparedPlace {
  readonly directory: string;
  readonly work: string;
  readonly home: string;
}

export type SetupCache = ReturnType<typeof createSetupCache>;

export const createSetupCache = (layout: Layout, now: () => Millis) => {
  const holds = createRefCounts();
  const placed = (repository: string, key: string): PreparedPlace => {
    const directory = layout.prepared(repository, key);
    return { directory, work: join(directory, "work"), home: join(directory, "home") };
  };

  const touch = async (directory: string): Promise<void> => {
    const seconds = now() / 1_000;
    await utimes(doneOf(directory), seconds, seconds);
  };

  const find = async (repository: string, key: string): Promise<(PreparedPlace & { made: Made }) | null> => {
    const place = placed(repository, key);
    const made = await readMade(place.directory);
    return made === null ? null : { ...place, made };
  };

  const remove = async (repository: string, key: string): Promise<void> => {
    const { directory } = placed(repository, key);
    await rm(doneOf(directory), { force: true });
    await removeTree(directory);
  };

  const removeUnused = async (since: Millis): Promise<void> => {
    for (const { repository, key } of await allOf(layout)) {
      if (holds.has(key)) continue;
      const found = await stat(doneOf(layout.prepared(repository, key))).catch(() => null);
      // A directory without `done.json` is being made.
      if (found === null || found.mtimeMs >= since) continue;
      await remove(repository, key);
      await rm(layout.setUpLog(repository, key), { force: true });
    }
  };

  return {
    find,
    remove,
    /** Also marks the directory as used now. */
    use: async (repository: string, key: string): Promise<boolean> => {
      const found = await find(repository, key);
      if (found !== null) await touch(found.directory);
      return found !== null;
    },
    clear: async (repository: string, key: string): Promise<PreparedPlace> => {
      await remove(repository, key);
      const place = placed(repository, key);
      await mkdir(place.home, { recursive: true });
      return place;
    },
    shelve: async (repository: string, key: string, made: Made): Promise<void> => {
      const directory = layout.prepared(repository, key);
      await writeDurably(doneOf(directory), JSON.stringify(made));
      await touch(directory);
    },
    /** Blocks removal while the files are copied. */
    hold: holds.hold,
    /** Removes long unused directories, and more if fewer than `bytes` are free. Returns whether enough are free then. */
    makeRoom: async (bytes: number): Promise<boolean> => {
      await removeUnused(now() - STALE);
      if (await isFree(layout, bytes)) return true;
      await removeUnused(now() - SPARE);
      return isFree(layout, bytes);
    },
  };
};

/** Removes unfinished directories of a process that died, before anything starts. */
export const removeHalf = async (layout: Layout): Promise<void> => {
  for (const { repository, key } of await allOf(layout)) {
    const directory = layout.prepared(repository, key);
    if ((await readMade(directory)) === null) await removeTree(directory);
  }
};

const allOf = async (layout: Layout) => {
  const all: { readonly repository: string; readonly key: string }[] = [];
  for (const repository of await namesIn(layout.preparations)) {
    for (const key of await namesIn(join(layout.preparations, repository))) {
      if (/^[0-9a-f]{32}$/.test(key)) all.push({ repository, key });
    }
  }
  return all;
};

const isFree = async (layout: Layout, bytes: number): Promise<boolean> => {
  await mkdir(layout.preparations, { recursive: true });
  const { bavail, bsize } = await statfs(layout.preparations);
  return bavail * bsize >= bytes;
};

const doneOf = (directory: string): string => join(directory, "done.json");

const readMade = (directory: string): Promise<Made | null> => readJson(doneOf(directory), schema);
