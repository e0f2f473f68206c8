/** Accepted events in order, with their effects (D9, D17). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import type { Tables } from "../../ports/tables.ts";
import type { TraceRow } from "../../ports/store.ts";
import { json, type Read } from "../base/codec.ts";
import { eventSchema, labelsSchema } from "../schema/event.ts";
import { listSchema, personIdSchema } from "../schema/id.ts";
import { phaseKindSchema } from "../schema/state.ts";
import type { EventRow } from "./step-rows.ts";

/** Rows are read in pages, because an open cursor would block every conversation's writes. */
const PAGE = 256;

const traced = z
  .object({
    seq: z.number(),
    event: json(eventSchema),
    labels: json(labelsSchema),
    before: phaseKindSchema,
    after: phaseKindSchema,
    /* Evidence for replay, which compares it: no effect is performed, and grants in it are kept (L12). */
    effects: json(listSchema(z.unknown())),
    actor: personIdSchema.nullable(),
    hash: z.string(),
    core: z.string(),
  })
  .transform((row): TraceRow => ({ ...row, at: row.event.at }));

export const traceRows: Tables = {
  tables: {
    events: {
      conversation: [
        "conversation",
        "seq",
        "event",
        "labels",
        "before",
        "after",
        "effects",
        "actor",
        "hash",
        "core",
      ],
    },
  },
  erase: {
    person: { kind: "kept", why: "an event names persons and words by id, so that it replays (D8)" },
    conversation: {
      kind: "pieces",
      sql: [
        `DELETE FROM events WHERE conversation = @id AND seq IN
          (SELECT seq FROM events WHERE conversation = @id LIMIT @limit)`,
      ],
    },
  },
};

export const createTrace = (db: Database, read: Read) => {
  const insert = db.prepare(`
    INSERT INTO events (conversation, seq, event, labels, before, after, effects, actor, hash, core)
    VALUES (@conversation, @seq, @event, @labels, @before, @after, @effects, @actor, @hash, @core)`);
  const select = db.prepare<[ConversationId, number, number], { readonly seq: number }>(`
    SELECT seq, event, labels, before, after, effects, actor, hash, core FROM events
    WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?`);

  return {
    append: (row: EventRow): void => void insert.run(row),

    *rows(conversation: ConversationId): Generator<TraceRow> {
      let page = select.all(conversation, -1, PAGE);
      for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
        for (const row of page) {
          const one = read(traced, row, { table: "events", conversation, seq: row.seq });
          if (one !== null) yield one;
        }
        page = select.all(conversation, last.seq, PAGE);
      }
    },
  };
};
