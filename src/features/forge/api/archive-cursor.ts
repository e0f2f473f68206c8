/** Reading positions in lists that are read in order of change. Pure. */

import { z } from "zod";
import type { ArchivePage, ArchivedText } from "../../../ports/forge-archive.ts";
import { jsonIn } from "../../../text/json.ts";

const cursor = z.object({
  /** Change time of the last item that was read, as the forge writes it; null at the start. */
  since: z.string().nullable(),
  /** Page among the items that changed at the time `since`. */
  page: z.number(),
  tag: z.string().nullable(),
});
export type Cursor = z.output<typeof cursor>;

export const ARCHIVE_START: Cursor = { since: null, page: 1, tag: null };

const cursors = z.object({
  /** Index of the list that is being read. */
  at: z.number(),
  lists: z.array(cursor).readonly(),
});
type Cursors = z.output<typeof cursors>;

export interface ListPage {
  readonly leaves: readonly ArchivedText[];
  readonly size: number;
  /** Maximum number of items on a page. */
  readonly most: number;
  /** Change time of the last item; null if the list has another order. */
  readonly last: string | null;
  readonly tag?: string | null;
  /** Same as in `ArchivePage`. */
  readonly rest?: number | null;
}

/** Null if nothing is new. */
export type List<C> = (client: C, cursor: Cursor) => Promise<ListPage | null>;

/** Reads one page of the first list that is not yet read completely. */
export const readLists =
  <C>(lists: readonly List<C>[]) =>
  async (client: C, from: string | null): Promise<ArchivePage> => {
    const cursors = readCursors(from, lists.length);
    const [list, cursor] = [lists[cursors.at], cursors.lists[cursors.at]];
    if (list === undefined || cursor === undefined) throw new RangeError("there is no such list");
    const listed = await list(client, cursor);
    if (listed === null) return { leaves: [], rest: null, ...onward(cursors, cursor, true) };
    const { leaves, rest = null } = listed;
    const after = advanced(cursor, listed);
    return { leaves, rest, ...onward(cursors, after.cursor, after.isLast) };
  };

/** Starts again if the text cannot be parsed. */
const readCursors = (text: string | null, lists: number): Cursors => {
  const fresh = { at: 0, lists: Array.from({ length: lists }, () => ARCHIVE_START) };
  const read = cursors.safeParse(jsonIn(text ?? "")).data;
  return read?.lists.length === lists ? read : fresh;
};

/** Position after an answer. */
const advanced = (
  { since, page, tag: known }: Cursor,
  { size, most, last, tag = null }: ListPage,
): { readonly cursor: Cursor; readonly isLast: boolean } => {
  const isLast = size < most;
  // If all items of a page changed at the same time, only the page number can advance.
  if (last !== null && last !== since) return { cursor: { since: last, page: 1, tag: null }, isLast };
  return { cursor: { since, page: isLast ? 1 : page + 1, tag: isLast ? (tag ?? known) : null }, isLast };
};

/** Continues with the next list after the last page of a list, and with the first list after all lists. */
const onward = (
  cursors: Cursors,
  cursor: Cursor,
  isLast: boolean,
): { readonly next: string; readonly isLast: boolean } => {
  const lists = cursors.lists.with(cursors.at, cursor);
  const at = isLast ? (cursors.at + 1) % lists.length : cursors.at;
  return { next: JSON.stringify({ at, lists }), isLast: isLast && at === 0 };
};
