/** Who waits to be served, by rank; within a rank in the order in which they came to wait. */

import { RANKS } from "./bucket.ts";
import type { Ready } from "./thread.ts";

export interface Queue<Id> {
  /** Whoever keeps a rank keeps the place in it; null takes out. */
  file(id: Id, rank: Ready["rank"] | null): void;
  first(): { readonly id: Id; readonly rank: Ready["rank"] } | null;
}

export const createQueue = <Id>(): Queue<Id> => {
  const lines = (["disk", ...RANKS] as const).map((rank) => ({ rank, line: new Set<Id>() }));
  return {
    file: (id, rank) => {
      for (const { rank: other, line } of lines) {
        if (other === rank) line.add(id);
        else line.delete(id);
      }
    },
    first: () => {
      for (const { rank, line } of lines) for (const id of line) return { id, rank };
      return null;
    },
  };
};
