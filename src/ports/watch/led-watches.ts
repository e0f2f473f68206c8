/** Members of watches that only the host that leads carries out. */

import { LEADER_AWAY, type Led } from "../ownership.ts";
import type { WatchBook, Watcher } from "./watches.ts";

export interface Watched {
  readonly watcher: Watcher;
  readonly book: WatchBook;
}

/** Events are taken, and watches are changed, on the host that leads. */
export const ledWatches = ({ watcher, book }: Watched, led: Led): Watched => ({
  watcher: { ...watcher, take: led("watcher", "take", watcher.take, LEADER_AWAY) },
  book: {
    ...book,
    add: led("watches", "add", book.add, LEADER_AWAY),
    change: led("watches", "change", book.change, LEADER_AWAY),
    remove: led("watches", "remove", book.remove, LEADER_AWAY),
    readSchedule: led("watches", "readSchedule", book.readSchedule, {
      kind: "unclear",
      why: LEADER_AWAY.message,
    }),
  },
});
