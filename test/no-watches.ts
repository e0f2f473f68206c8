/** A host on which nothing begins by itself. */

import type { WatchBook, Watcher } from "../src/ports/watch/watches.ts";

const none = () => Promise.resolve({ kind: "refused", why: () => "none here" } as const);

export const noWatches: WatchBook = {
  all: () => [],
  add: none,
  change: none,
  remove: none,
  readSchedule: () => Promise.resolve({ kind: "unclear", why: "none here" }),
};

export const noWatcher: Watcher = {
  all: () => [],
  renew: () => undefined,
  take: () => Promise.resolve({ kind: "off", why: "none here" }),
};
