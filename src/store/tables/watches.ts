/** Watches, and the threads that they began. An event that is counted is handled with it (D20). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Tables } from "../../ports/tables.ts";
import type { WatchRows } from "../../ports/watch/rows.ts";
import { encode, json, type Read } from "../codec.ts";
import { createPluck } from "../pluck.ts";
import { conversationId, personId } from "../schema/id.ts";
import { source, standing, watchEvent } from "../schema/watch.ts";
import { createTable } from "../table.ts";
import type { Direct } from "../write/direct.ts";
import { doing } from "../write/write.ts";

const watchRow = z.object({
  id: z.string(),
  surface: z.string(),
  place: z.string(),
  source: json(source),
  mode: z.string().nullable(),
  instructions: z.string().nullable(),
  perHour: z.number(),
  standing: json(standing),
  failures: z.number(),
  by: personId,
  at: z.number(),
});

const threadRow = z.object({
  conversation: conversationId,
  place: z.string(),
  message: z.string(),
  event: json(watchEvent),
  count: z.number(),
  told: z.number(),
  began: z.number(),
  last: z.number(),
});

/** With what it is found by. */
const begunRow = threadRow.extend({ watch: z.string(), fingerprint: z.string() });

/** The surface of events in the inbox, and of the claims that a watch makes. */
const SURFACE = "watch";
/** A watch speaks as this and its id. */
const SPEAKS = "watch:";

export const watchRows: Tables<Database> = {
  owner: "watches",
  tables: {
    watches: {
      person: ["source", "instructions"],
      kept: {
        "choices of a channel, and who made them": [
          "id",
          "surface",
          "place",
          "mode",
          "per_hour",
          "standing",
          "failures",
          "set_by",
          "at",
        ],
      },
    },
  },
  erase: {
    person: {
      kind: "person",
      erase: (db) => {
        // A schedule is its words; every other watch goes on without instructions and triages.
        const drop = db.prepare("DELETE FROM watches WHERE set_by = ? AND source ->> '$.kind' = 'schedule'");
        const uninstruct = db.prepare("UPDATE watches SET instructions = NULL WHERE set_by = ?");
        return (person) => {
          drop.run(person);
          uninstruct.run(person);
        };
      },
      told: `
        SELECT '${SPEAKS}' || id AS speaker, coalesce(instructions, source ->> '$.text', '') AS text FROM watches
        WHERE set_by = ? AND (instructions IS NOT NULL OR source ->> '$.kind' = 'schedule')`,
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

export const watchThreadRows: Tables<Database> = {
  owner: "watches",
  tables: {
    watch_threads: {
      both: ["event"],
      conversation: [
        "conversation",
        "watch",
        "fingerprint",
        "place",
        "message",
        "count",
        "told",
        "began",
        "last",
      ],
    },
  },
  erase: {
    person: {
      kind: "step",
      /* The event goes with the message that quotes it. */
      erase: (db) => {
        const blank = db.prepare(`
          UPDATE watch_threads SET event = json_set(event, '$.title', '', '$.text', '', '$.link', NULL)
          WHERE conversation = @conversation AND EXISTS (
            SELECT 1 FROM claims WHERE claims.conversation = @conversation AND claims.surface = '${SURFACE}'
              AND claims.message IN (SELECT value FROM json_each(@ids)))`);
        return (conversation, { words }) =>
          void blank.run({ conversation, ids: encode(words.map(({ id }) => id)) });
      },
    },
    conversation: { kind: "hidden", sql: ["DELETE FROM watch_threads WHERE conversation = ?"] },
  },
};

export const createWatches = (db: Database, read: Read): Direct<WatchRows> => {
  const pluck = createPluck(db);
  const table = createTable(db, read);
  const watches = table("watches", ["id"], watchRow, { by: "set_by" });
  const threads = table("watch_threads", ["conversation"], threadRow);
  const insert = table("watch_threads", ["conversation"], begunRow).insert();
  const handle = db.prepare("UPDATE inbox SET body = NULL WHERE surface = ? AND id = ? AND body IS NOT NULL");
  const count = db.prepare("UPDATE watch_threads SET count = count + 1, last = ? WHERE conversation = ?");
  const tell = db.prepare("UPDATE watch_threads SET told = ? WHERE conversation = ?");

  return {
    watches: watches.all("ORDER BY surface, place, at, id"),
    putWatch: doing(watches.put()),
    dropWatch: doing(watches.drop()),
    newest: threads.one("WHERE watch = ? AND fingerprint = ? ORDER BY began DESC, conversation LIMIT 1"),
    lately: threads.all("WHERE watch = ? ORDER BY began DESC, conversation LIMIT ?"),
    begunSince: pluck.all("SELECT began FROM watch_threads WHERE watch = ? AND began > ? ORDER BY began"),
    untold: threads.all("WHERE told < count ORDER BY began"),
    begin: doing((thread, inbox) => {
      const { watch, fingerprint } = thread.event;
      insert({ ...thread, watch, fingerprint });
      handle.run(SURFACE, inbox);
    }),
    join: doing((conversation, inbox, at) => {
      if (handle.run(SURFACE, inbox).changes > 0) count.run(at, conversation);
    }),
    told: doing((conversation, told) => tell.run(told, conversation)),
  };
};
