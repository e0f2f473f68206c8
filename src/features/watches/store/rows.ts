/** An event is counted and marked as handled in one transaction (D20). */

import * as z from "zod";
import type { Log } from "../../../ports/host.ts";
import type { RowChange, Rows } from "../../../ports/rows.ts";
import { createRead, encode, json } from "../../../store/base/codec.ts";
import { conversationIdSchema, personIdSchema } from "../../../store/schema/id.ts";
import type { WatchRows } from "./watches.ts";
import { source, watchStateSchema, watchEvent } from "./schema.ts";

const watchRow = z.object({
  id: z.string(),
  surface: z.string(),
  place: z.string(),
  source: json(source),
  mode: z.string().nullable(),
  instructions: z.string().nullable(),
  perHour: z.number(),
  standing: json(watchStateSchema),
  failures: z.number(),
  by: personIdSchema,
  at: z.number(),
});

const threadRow = z.object({
  conversation: conversationIdSchema,
  place: z.string(),
  message: z.string(),
  event: json(watchEvent),
  count: z.number(),
  told: z.number(),
  began: z.number(),
  last: z.number(),
});

const WATCHES = `SELECT id, surface, place, source, mode, instructions, per_hour AS "perHour", standing, failures, set_by AS "by", at
  FROM watches ORDER BY surface, place, at, id`;
const THREADS = "SELECT conversation, place, message, event, count, told, began, last FROM watch_threads";

const SURFACE = "watch";

/** Reads watches without a running host, too. */
export const createReadWatches = (rows: Pick<Rows, "select">, log: Log): WatchRows["watches"] => {
  const read = createRead(log);
  const select = rows.select(WATCHES);
  return () => read.all(watchRow, select({}), { table: "watches" });
};

export const createWatchRows = (rows: Rows, log: Log): WatchRows => {
  const read = createRead(log);
  const selectNewest = rows.select(
    `${THREADS} WHERE watch = @watch AND fingerprint = @fingerprint ORDER BY began DESC, conversation LIMIT 1`,
  );
  const selectLately = rows.select(
    `${THREADS} WHERE watch = @watch ORDER BY began DESC, conversation LIMIT @most`,
  );
  const selectThread = rows.select(`${THREADS} WHERE conversation = @conversation`);
  const selectUntold = rows.select(`${THREADS} WHERE told < count ORDER BY began`);
  const selectBegun = rows.select(
    "SELECT began FROM watch_threads WHERE watch = @watch AND began > @since ORDER BY began",
  );
  const selectUnended = rows.select(
    `${THREADS} WHERE watch = @watch AND ended = 0 AND began > @since ORDER BY began`,
  );
  const threads = (found: readonly unknown[]) => read.all(threadRow, found, { table: "watch_threads" });

  return {
    watches: createReadWatches(rows, log),
    putWatch: ({ source: from, standing: is, ...watch }) =>
      rows.write([{ sql: PUT, values: { ...watch, source: encode(from), standing: encode(is) } }]),
    dropWatch: (id) => rows.write(DROPS.map((sql) => ({ sql, values: { id } }))),
    newest: (watch, fingerprint) => threads(selectNewest({ watch, fingerprint })).at(0) ?? null,
    thread: (conversation) => threads(selectThread({ conversation })).at(0) ?? null,
    lately: (watch, most) => threads(selectLately({ watch, most })),
    begunSince: (watch, since) => begun.parse(selectBegun({ watch, since })),
    untold: () => threads(selectUntold({})),
    begin: ({ event, ...thread }, inbox) => {
      const { watch, fingerprint } = event;
      const ended = event.person === undefined ? 1 : 0;
      const values = { ...thread, watch, fingerprint, event: encode(event), ended };
      return rows.write([{ sql: BEGIN, values }, handled(inbox)]);
    },
    join: (conversation, inbox, at) =>
      rows.write([{ sql: JOIN, values: { conversation, inbox, at } }, handled(inbox)]),
    told: (conversation, told) => rows.write([{ sql: TOLD, values: { conversation, told } }]),
    unended: (watch, since) => threads(selectUnended({ watch, since })),
    ended: (conversation) => rows.write([{ sql: ENDED, values: { conversation } }]),
  };
};

const begun = z.array(z.object({ began: z.number() }).transform(({ began }) => began));

const PUT = `
  INSERT INTO watches (id, surface, place, source, mode, instructions, per_hour, standing, failures, set_by, at)
  VALUES (@id, @surface, @place, @source, @mode, @instructions, @perHour, @standing, @failures, @by, @at)
  ON CONFLICT (id) DO UPDATE SET surface = excluded.surface, place = excluded.place, source = excluded.source,
    mode = excluded.mode, instructions = excluded.instructions, per_hour = excluded.per_hour,
    standing = excluded.standing, failures = excluded.failures, set_by = excluded.set_by, at = excluded.at`;
const DROPS = [
  "DELETE FROM watches WHERE id = @id",
  "DELETE FROM first_looks WHERE watch = @id",
  "DELETE FROM look_corrections WHERE watch = @id",
  "DELETE FROM watch_places WHERE watch = @id",
];
const BEGIN = `
  INSERT INTO watch_threads (conversation, place, message, event, count, told, began, last, watch, fingerprint, ended)
  VALUES (@conversation, @place, @message, @event, @count, @told, @began, @last, @watch, @fingerprint, @ended)
  ON CONFLICT (conversation) DO NOTHING`;
/** Does not count an event that is already handled. */
const JOIN = `
  UPDATE watch_threads SET count = count + 1, last = @at WHERE conversation = @conversation AND EXISTS (
    SELECT 1 FROM inbox WHERE surface = '${SURFACE}' AND id = @inbox AND body IS NOT NULL)`;
const TOLD = "UPDATE watch_threads SET told = @told WHERE conversation = @conversation";
const ENDED = "UPDATE watch_threads SET ended = 1 WHERE conversation = @conversation";

const handled = (inbox: string): RowChange => ({
  sql: `UPDATE inbox SET body = NULL WHERE surface = '${SURFACE}' AND id = @inbox AND body IS NOT NULL`,
  values: { inbox },
});
