/** Rows are written before and after each call to a platform, so that a crash leaves doubt, never a lost message. */

import type { Database } from "better-sqlite3";
import type { ConversationId } from "../../machine/id.ts";
import type { Place } from "../../ports/conversation.ts";
import type { Tables } from "../../ports/tables.ts";
import { type Ledger, STATUS_POST, type Thread } from "../../ports/surface.ts";
import type { Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { createTable } from "../base/table.ts";
import { type DirectPort, doing } from "../base/write.ts";
import { createAdvance, type CursorKey } from "./cursors.ts";
import * as z from "zod";
import { conversationIdSchema } from "../schema/id.ts";

/** Separator between a former channel and the conversation's id. No platform's ids contain this character. */
const LEFT = "/";
/** Channel of a thread, also of a thread that its conversation has left: earlier messages were sent there. */
export const DELIVERY_PLACE = `iif(instr(threads.place, '${LEFT}') > 0, substr(threads.place, 1, instr(threads.place, '${LEFT}') - 1), threads.place)`;

export const threadRows: Tables = {
  tables: {
    threads: { conversation: ["conversation", "surface", "place", "root", "delivered", "behind", "server"] },
    deliveries: {
      conversation: [
        "first_written",
        "conversation",
        "key",
        "post",
        "wire",
        "id",
        "hash",
        "state",
        "attempts",
      ],
    },
    participants: { conversation: ["conversation", "person", "hinted"] },
    heard: { conversation: ["conversation", "message"] },
    quiet: { conversation: ["conversation", "quiet"] },
    cursors: { conversation: ["surface", "place", "root", "position"] },
  },
  erase: {
    person: { kind: "kept", why: "ids of the platform; a participant is not told the same hint twice" },
    conversation: {
      kind: "hidden",
      sql: [
        `DELETE FROM cursors WHERE (surface, place, root) IN
          (SELECT surface, place, root FROM threads WHERE conversation = ?)`,
        "DELETE FROM deliveries WHERE conversation = ?",
        "DELETE FROM participants WHERE conversation = ?",
        "DELETE FROM heard WHERE conversation = ?",
        "DELETE FROM quiet WHERE conversation = ?",
        "DELETE FROM threads WHERE conversation = ?",
      ],
    },
  },
};

export const createDeliveries = (db: Database, read: Read): DirectPort<Ledger> => {
  const pluck = createColumnReader(db);
  const bind = createBind(db);
  const selectLived = pluck.all<[CursorKey], ConversationId>(`
    SELECT conversation FROM threads
    WHERE surface = @surface AND root = @root AND place IN (@place, @place || '${LEFT}' || conversation)
    ORDER BY place = @place`);
  const selectRoots = pluck.all<[Pick<CursorKey, "surface"> & { readonly place: string }], string>(`
    SELECT DISTINCT root FROM threads WHERE surface = @surface AND ${DELIVERY_PLACE} = @place`);
  const selectNewest = db.prepare<[string, number]>(`
    SELECT DISTINCT ${DELIVERY_PLACE} AS place, root FROM threads WHERE surface = ? AND ${DELIVERY_PLACE} <> root
    ORDER BY length(root) DESC, root DESC LIMIT ?`);
  const table = createTable(db, read);
  const threads = table("threads", ["conversation"], threadRow);
  const deliveries = table("deliveries", ["conversation", "key"], deliveryRow);
  const rows = deliveries.all(
    "WHERE conversation = ? AND post IN (SELECT value FROM json_each(?)) ORDER BY first_written",
  );
  const selectBefore = pluck.one<[ConversationId, ConversationId, string], string>(`
    SELECT id FROM deliveries WHERE conversation = ? AND id IS NOT NULL AND first_written <
      (SELECT first_written FROM deliveries WHERE conversation = ? AND key = ?)
    ORDER BY first_written DESC LIMIT 1`);
  /** The number of attempts is not used, but the column requires a number. */
  const put = db.prepare(`
    INSERT INTO deliveries (conversation, key, post, wire, id, hash, state, attempts)
    VALUES (@conversation, @key, @post, @wire, @id, @hash, @state, 0)
    ON CONFLICT (conversation, key) DO UPDATE SET id = excluded.id, hash = excluded.hash, state = excluded.state`);
  const settle = db.prepare(`
    UPDATE threads SET delivered = max(delivered, @revision),
      behind = EXISTS (SELECT 1 FROM conversations WHERE id = @conversation AND revision > @revision)
        OR EXISTS (SELECT 1 FROM deliveries WHERE conversation = @conversation AND post = '${STATUS_POST}')
    WHERE conversation = @conversation`);
  const selectAnswered = db.prepare<[ConversationId], CursorKey>(`
    SELECT threads.surface, place, root FROM threads JOIN conversations ON conversations.id = conversation
    WHERE conversation = ? AND phase IN ('idle', 'failed') AND delivered >= revision`);
  const fallBehind = createMarkStale(db);
  const advance = createAdvance(db);

  return {
    bind: doing(bind),
    thread: threads.one(),
    find: threads.one("WHERE surface = ? AND place = ? AND root = ?"),
    rooted: threads.one("WHERE surface = ? AND root = ? LIMIT 1"),
    lived: (surface, place, root) => selectLived({ surface, place, root }),
    roots: (surface, place) => selectRoots({ surface, place }),
    newest: (surface, limit) => selectNewest.all(surface, limit).map((row) => threadKey.parse(row)),
    direct: pluck.all(`
      SELECT root FROM threads JOIN conversations ON conversations.id = threads.conversation
      WHERE threads.surface = ? AND place = root ORDER BY updated_at DESC LIMIT ?`),
    behind: threads.all("WHERE surface = ? AND behind = 1"),
    rows: (conversation, posts) => rows(conversation, JSON.stringify(posts)),
    before: (conversation, key) => selectBefore(conversation, conversation, key),
    put: doing((conversation, row) => {
      put.run({ ...row, conversation });
      fallBehind(conversation);
    }),
    drop: doing(deliveries.drop()),
    wires: pluck.all("SELECT wire FROM deliveries WHERE conversation = ?"),
    settle: doing((conversation, revision) => {
      settle.run({ conversation, revision });
      const answered = selectAnswered.get(conversation);
      if (answered !== undefined) advance(answered);
    }),
  };
};

/** Throws SqliteError if the conversation or its thread is bound already; runs in a transaction. */
export const createBind = (db: Database) => {
  /** The earlier conversation keeps the root, so that its messages can still be found and edited. */
  const leave = db.prepare(`
    UPDATE threads SET place = place || '${LEFT}' || conversation
    WHERE conversation = @after AND surface = @surface AND place = @place AND root = @root`);
  const insert = db.prepare(`
    INSERT INTO threads (conversation, surface, place, root, behind, server)
    VALUES (@conversation, @surface, @place, @root, 1, @server)`);
  return ({ after, ...thread }: Thread & Pick<Place, "server" | "after">): void => {
    if (after !== undefined) leave.run({ ...thread, after });
    insert.run({ server: null, ...thread });
  };
};

export const createMarkStale = (db: Database) => {
  const mark = db.prepare("UPDATE threads SET behind = 1 WHERE conversation = ? AND behind = 0");
  return (conversation: ConversationId): void => void mark.run(conversation);
};

const threadRow = z.object({
  conversation: conversationIdSchema,
  surface: z.string(),
  place: z.string(),
  root: z.string(),
  delivered: z.number(),
});

const threadKey = threadRow.pick({ place: true, root: true });

const deliveryRow = z.object({
  key: z.string(),
  post: z.string(),
  wire: z.string(),
  id: z.string().nullable(),
  hash: z.string().nullable(),
  state: z.enum(["planned", "sending", "sent", "unknown", "gone"]),
});
