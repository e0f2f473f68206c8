/** How far a client has heard a conversation's posts; on the wire the event id `boot.revision` (D23). */

import type { PostRow } from "../../../src/ports/store.ts";

export interface Cursor {
  /** Revisions are counted anew by no process, but a cursor is only good in the one that gave it. */
  readonly boot: string;
  readonly revision: number;
}

export const cursorId = ({ boot, revision }: Cursor): string => `${boot}.${revision}`;

/** Null for anything that no server says. */
export const parseCursor = (id: string | undefined): Cursor | null => {
  const [, boot, revision] = /^([\w-]{1,100})\.(\d{1,15})$/.exec(id ?? "") ?? [];
  return boot === undefined || revision === undefined ? null : { boot, revision: Number(revision) };
};

/** Rows beyond the cursor in the order in which they are told: each has a revision of its own. */
export const beyond = (cursor: Cursor, rows: readonly PostRow[]): readonly PostRow[] =>
  rows.filter((row) => row.revision > cursor.revision).toSorted((a, b) => a.revision - b.revision);
