/** A cursor marks a handled arrival before which nothing can have been missed: earlier arrivals are never read again. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Cursors } from "../../ports/chat-rows.ts";
import type { Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { type DirectPort, doing } from "../base/write.ts";

export interface CursorKey {
  readonly surface: string;
  readonly place: string;
  readonly root: string;
}

type Advance = (thread: CursorKey) => void;

/** Called when all posts of the thread's last turn are delivered. The cost is independent of the history's length. */
export const createAdvance = (db: Database): Advance => {
  const pluck = createColumnReader(db);
  const thread = db.prepare(`
    INSERT INTO cursors (surface, place, root, position)
    SELECT surface, place, root, position FROM inbox
    WHERE surface = @surface AND place = @place AND root = @root AND body IS NULL AND loose = 0
      AND NOT EXISTS (SELECT 1 FROM inbox INDEXED BY inbox_open
        WHERE surface = @surface AND place = @place AND root = @root AND body IS NOT NULL)
    ORDER BY length(position) DESC, position DESC LIMIT 1
    ON CONFLICT DO UPDATE SET position = excluded.position`);
  const selectReached = pluck.one<[CursorKey], string>(
    "SELECT position FROM cursors WHERE surface = @surface AND place = @place AND root = ''",
  );
  const top = "FROM inbox AS top WHERE surface = @surface AND place = @place AND root = position";
  const isOpen = `(body IS NOT NULL OR (
    EXISTS (SELECT 1 FROM threads WHERE surface = @surface AND place = @place AND root = top.root)
    AND NOT EXISTS (SELECT 1 FROM cursors WHERE surface = @surface AND place = @place AND root = top.root)))`;
  /** The index orders positions by length first, so equal and greater lengths are searched separately. */
  const selectOpen = pluck.one<[CursorKey & { readonly reached: string }], string>(`
    SELECT position ${top} AND length(position) = length(@reached) AND position > @reached AND ${isOpen}
    ORDER BY position LIMIT 1`);
  const selectOpenLonger = pluck.one<[CursorKey & { readonly reached: string }], string>(`
    SELECT position ${top} AND length(position) > length(@reached) AND ${isOpen}
    ORDER BY length(position), position LIMIT 1`);
  const selectNewest = pluck.one<[CursorKey], string>(`
    SELECT position ${top} AND body IS NULL AND loose = 0
    ORDER BY length(position) DESC, position DESC LIMIT 1`);
  const selectBefore = pluck.one<[CursorKey & { readonly open: string; readonly after: string }], string>(`
    SELECT position ${top} AND body IS NULL AND loose = 0
      AND length(position) = length(@open) AND position < @open AND position > @after
    ORDER BY position DESC LIMIT 1`);
  const selectShorter = pluck.one<[CursorKey & { readonly open: string }], string>(`
    SELECT position ${top} AND body IS NULL AND loose = 0 AND length(position) < length(@open)
    ORDER BY length(position) DESC, position DESC LIMIT 1`);
  const put = db.prepare(`
    INSERT INTO cursors (surface, place, root, position) VALUES (@surface, @place, '', @position)
    ON CONFLICT DO UPDATE SET position = excluded.position`);

  /** The newest top-level message before all open ones. */
  const answered = (key: CursorKey, reached: string): string | null => {
    const open = selectOpen({ ...key, reached }) ?? selectOpenLonger({ ...key, reached });
    if (open === null) return selectNewest(key);
    const isOfOneLength = reached.length === open.length;
    const bounds = { ...key, open, after: isOfOneLength ? reached : "" };
    return selectBefore(bounds) ?? (isOfOneLength ? null : selectShorter(bounds));
  };

  return (key) => {
    thread.run(key);
    const next = answered(key, selectReached(key) ?? "");
    if (next !== null) put.run({ ...key, position: next });
  };
};

const sourceRow = z.object({
  place: z.string(),
  root: z.string().nullable(),
  since: z.string(),
  first: z.string().nullable(),
});

export const createCursors = (db: Database, read: Read): DirectPort<Cursors> => {
  const tighten = db.prepare("UPDATE inbox SET loose = 0 WHERE surface = ? AND loose = 1");
  /** If nothing is answered yet, reading starts at the first arrival. */
  const selectChannels = db.prepare(`
    SELECT place, NULL AS root, NULL AS first, coalesce(
      (SELECT position FROM cursors WHERE surface = @surface AND place = known.place AND root = ''),
      (SELECT position FROM inbox WHERE surface = @surface AND place = known.place AND root = position
        ORDER BY length(position), position LIMIT 1)) AS since
    FROM (SELECT DISTINCT place FROM inbox WHERE surface = @surface AND root = position
      UNION SELECT place FROM cursors WHERE surface = @surface AND root = '') AS known`);
  const selectThreads = db.prepare(`
    SELECT place, root, coalesce(
      (SELECT position FROM cursors
        WHERE surface = threads.surface AND place = threads.place AND root = threads.root),
      (SELECT position FROM inbox
        WHERE surface = threads.surface AND place = threads.place AND root = threads.root
        ORDER BY length(position), position LIMIT 1),
      root) AS since,
      (SELECT position FROM inbox
        WHERE surface = threads.surface AND place = threads.place AND root = threads.root
        ORDER BY length(position), position LIMIT 1) AS first
    FROM threads JOIN conversations ON conversations.id = threads.conversation
    WHERE threads.surface = @surface AND updated_at >= @after
    ORDER BY updated_at DESC LIMIT @limit`);

  return {
    sources: (surface, after, limit) =>
      [selectChannels.all({ surface }), selectThreads.all({ surface, after, limit })].flatMap((rows) =>
        read.all(sourceRow, rows, { table: "cursors" }),
      ),
    tighten: doing((surface) => tighten.run(surface)),
  };
};
