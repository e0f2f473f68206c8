/** Watches, and the threads that they began. An event that is counted is handled with it (D20). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Millis } from "../../machine/id.ts";
import type { WatchRows, WatchThread } from "../../ports/watch/rows.ts";
import type { Watch } from "../../ports/watch/watches.ts";
import { encode, json, type Read } from "../codec.ts";
import { conversationId, personId } from "../schema/id.ts";
import { source, standing, watchEvent } from "../schema/watch.ts";
import type { Direct } from "../write/direct.ts";
import { DONE, doing, whole, writing } from "../write/write.ts";

const watchRow = z
  .object({
    id: z.string(),
    surface: z.string(),
    place: z.string(),
    source: json(source),
    mode: z.string().nullable(),
    instructions: z.string().nullable(),
    per_hour: z.number(),
    standing: json(standing),
    failures: z.number(),
    set_by: personId,
    at: z.number(),
  })
  .transform(({ per_hour: perHour, set_by: by, ...row }): Watch => ({ ...row, perHour, by }));

const threadRow = z
  .object({
    conversation: conversationId,
    place: z.string(),
    message: z.string(),
    event: json(watchEvent),
    count: z.number(),
    told: z.number(),
    began: z.number(),
    last: z.number(),
  })
  .transform((row): WatchThread => row);

/** Of the inbox. */
const SURFACE = "watch";
const THREAD = "SELECT conversation, place, message, event, count, told, began, last FROM watch_threads";

export const createWatches = (db: Database, read: Read): Direct<WatchRows> => {
  const select = db.prepare("SELECT * FROM watches ORDER BY surface, place, at, id");
  const put = db.prepare(`
    INSERT INTO watches (id, surface, place, source, mode, instructions, per_hour, standing, failures, set_by, at)
    VALUES (@id, @surface, @place, @source, @mode, @instructions, @perHour, @standing, @failures, @by, @at)
    ON CONFLICT (id) DO UPDATE SET surface = excluded.surface, place = excluded.place, source = excluded.source,
      mode = excluded.mode, instructions = excluded.instructions, per_hour = excluded.per_hour,
      standing = excluded.standing, failures = excluded.failures, set_by = excluded.set_by, at = excluded.at`);
  const drop = db.prepare("DELETE FROM watches WHERE id = ?");
  const selectNewest = db.prepare(
    `${THREAD} WHERE watch = ? AND fingerprint = ? ORDER BY began DESC, conversation LIMIT 1`,
  );
  const selectLately = db.prepare(`${THREAD} WHERE watch = ? ORDER BY began DESC, conversation LIMIT ?`);
  const selectBegun = db
    .prepare<[string, Millis], Millis>(
      "SELECT began FROM watch_threads WHERE watch = ? AND began > ? ORDER BY began",
    )
    .pluck();
  const selectUntold = db.prepare(`${THREAD} WHERE told < count ORDER BY began`);
  const insert = db.prepare(`
    INSERT INTO watch_threads (conversation, watch, fingerprint, place, message, event, count, told, began, last)
    VALUES (@conversation, @watch, @fingerprint, @place, @message, @event, @count, @told, @began, @last)
    ON CONFLICT DO NOTHING`);
  const handle = db.prepare("UPDATE inbox SET body = NULL WHERE surface = ? AND id = ? AND body IS NOT NULL");
  const count = db.prepare("UPDATE watch_threads SET count = count + 1, last = ? WHERE conversation = ?");
  const tell = db.prepare("UPDATE watch_threads SET told = ? WHERE conversation = ?");

  const begin = whole(db, (thread: WatchThread, inbox: string) => {
    const { watch, fingerprint } = thread.event;
    insert.run({ ...thread, watch, fingerprint, event: encode(thread.event) });
    handle.run(SURFACE, inbox);
    return DONE;
  });
  const join = whole(db, (conversation: WatchThread["conversation"], inbox: string, at: Millis) => {
    if (handle.run(SURFACE, inbox).changes > 0) count.run(at, conversation);
    return DONE;
  });
  const parsed = (row: unknown): WatchThread | null => read(threadRow, row, { table: "watch_threads" });

  return {
    watches: () => select.all().flatMap((row) => read(watchRow, row, { table: "watches" }) ?? []),
    putWatch: doing((watch) =>
      put.run({ ...watch, source: encode(watch.source), standing: encode(watch.standing) }),
    ),
    dropWatch: doing((id) => drop.run(id)),
    newest: (watch, fingerprint) => parsed(selectNewest.get(watch, fingerprint)),
    lately: (watch, most) => selectLately.all(watch, most).flatMap((row) => parsed(row) ?? []),
    begunSince: (watch, since) => selectBegun.all(watch, since),
    untold: () => selectUntold.all().flatMap((row) => parsed(row) ?? []),
    begin: writing(begin),
    join: writing(join),
    told: doing((conversation, told) => tell.run(told, conversation)),
  };
};
