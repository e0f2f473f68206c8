/**
 * What set-ups left, on disk: one directory each, whole when its `done.json` is there, which is written last and removed
 * first. Nothing writes in a whole one any more.
 */

import { mkdir, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DAY, type Millis } from "../../machine/id.ts";
import { readJson, writeDurably } from "../durable.ts";
import { createHolds } from "../holds.ts";
import type { Layout } from "../layout.ts";
import { namesIn } from "../mirror/pins.ts";
import { removeTree } from "../aside.ts";

/** What nobody used for so long goes when room is made, and what goes where room is short. */
const STALE: Millis = 30 * DAY;
const SPARE: Millis = DAY;

const schema = z.strictObject({
  version: z.literal(1),
  /** The commit that it was made at. */
  commit: z.string(),
  /** Epoch milliseconds; earlier versions did not say. */
  at: z.number().exactOptional(),
  seconds: z.number(),
  bytes: z.number(),
  files: z.number(),
});

export type Made = Readonly<z.infer<typeof schema>>;

/** Where one is. In a whole one `work` and `home` are read by anybody and written by nobody. */
export interface Prepared {
  readonly directory: string;
  readonly work: string;
  readonly home: string;
}

export interface SetUpCache {
  /** A whole one, with what is known of it. */
  find(repository: string, key: string): Promise<(Prepared & { readonly made: Made }) | null>;
  /** Whether there is one; it counts as used now. */
  use(repository: string, key: string): Promise<boolean>;
  /** Where it is to be made: an empty place. */
  clear(repository: string, key: string): Promise<Prepared>;
  /** Makes it whole. */
  shelve(repository: string, key: string, made: Made): Promise<void>;
  remove(repository: string, key: string): Promise<void>;
  /** Keeps it from being removed while it is copied. */
  hold(key: string): Disposable;
  /** Removes what nobody used for long, and more where fewer than `bytes` are free; answers whether they are. */
  makeRoom(bytes: number): Promise<boolean>;
}

export const createSetUpCache = (layout: Layout, now: () => Millis): SetUpCache => {
  const holds = createHolds();
  const placed = (repository: string, key: string): Prepared => {
    const directory = layout.prepared(repository, key);
    return { directory, work: join(directory, "work"), home: join(directory, "home") };
  };

  const touch = async (directory: string): Promise<void> => {
    const seconds = now() / 1_000;
    await utimes(doneOf(directory), seconds, seconds);
  };

  const find: SetUpCache["find"] = async (repository, key) => {
    const place = placed(repository, key);
    const made = await readMade(place.directory);
    return made === null ? null : { ...place, made };
  };

  const remove: SetUpCache["remove"] = async (repository, key) => {
    const { directory } = placed(repository, key);
    await rm(doneOf(directory), { force: true });
    await removeTree(directory);
  };

  const removeUnused = async (since: Millis): Promise<void> => {
    for (const { repository, key } of await allOf(layout)) {
      if (holds.has(key)) continue;
      const found = await stat(doneOf(layout.prepared(repository, key))).catch(() => null);
      // Without its mark it is being made.
      if (found === null || found.mtimeMs >= since) continue;
      await remove(repository, key);
      await rm(layout.setUpLog(repository, key), { force: true });
    }
  };

  return {
    find,
    remove,
    use: async (repository, key) => {
      const found = await find(repository, key);
      if (found !== null) await touch(found.directory);
      return found !== null;
    },
    clear: async (repository, key) => {
      await remove(repository, key);
      const place = placed(repository, key);
      await mkdir(place.home, { recursive: true });
      return place;
    },
    shelve: async (repository, key, made) => {
      const directory = layout.prepared(repository, key);
      await writeDurably(doneOf(directory), JSON.stringify(made));
      await touch(directory);
    },
    hold: holds.hold,
    makeRoom: async (bytes) => {
      await removeUnused(now() - STALE);
      if (await isFree(layout, bytes)) return true;
      await removeUnused(now() - SPARE);
      return isFree(layout, bytes);
    },
  };
};

/** Before anything begins: what a process that died was making. */
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
