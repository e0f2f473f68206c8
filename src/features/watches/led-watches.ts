/** Members of watches that only the host that leads carries out. */

import { LEADER_AWAY, type Led } from "../../ports/ownership.ts";
import type { WatchBook, Watcher } from "./store/watches.ts";

export interface Watched {
  readonly watcher: Watcher;
  readonly book: WatchBook;
}

/** Events are taken, and watches are changed, on the host that leads. */
export const ledWatches = ({ watcher, book }: Watched, led: Led): Watched => ({
  watcher: led("watcher", watcher, (by) => ({ ...watcher, take: by("take", watcher.take, LEADER_AWAY) })),
  book: led("watches", book, (by) => ({
    ...book,
    add: by("add", book.add, LEADER_AWAY),
    change: by("change", book.change, LEADER_AWAY),
    remove: by("remove", book.remove, LEADER_AWAY),
    readSchedule: by("readSchedule", book.readSchedule, { kind: "unclear", why: LEADER_AWAY.message }),
  })),
});
