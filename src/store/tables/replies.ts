/** Replies to refused messages (D7). Each person has one row in a thread: the newest reply, and earlier ones not yet sent. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Millis } from "../../machine/id.ts";
import { REFUSALS, type Refusal } from "../../machine/refusal.ts";
import type { ClaimKey } from "../../ports/claims.ts";
import type { PendingReply, PendingReplyRows, PostedReply, RefusalReason } from "../../ports/replies.ts";
import type { Tables } from "../../ports/tables.ts";
import type { Addressee } from "../../ports/surface.ts";
import { encode, json, type Read } from "../base/codec.ts";
import { conversationIdSchema, kindSchema } from "../schema/id.ts";
import { type DirectPort, doing } from "../base/write.ts";

const why: z.ZodType<RefusalReason> = z.discriminatedUnion("kind", [
  kindSchema("refused", { conversation: conversationIdSchema, claim: z.string(), why: z.enum(REFUSALS) }),
  kindSchema("accepted", {
    conversation: conversationIdSchema,
    claim: z.string(),
    as: z.enum(["added", "waiting"]),
    restricts: z.boolean(),
  }),
  kindSchema("said", { text: z.string() }),
]);
const waiting = z.object({ key: z.string(), why });
const owed: z.ZodType<PendingReply> = z
  .object({ key: z.string(), stands: z.string().nullable(), waiting: json(z.array(waiting)) })
  .readonly();

/** Most waiting replies before the newest one; above this number, the oldest is dropped. */
const MOST_EARLIER = 4;

/** The waiting replies as JSON, oldest first. */
const WAITING = `json_insert(coalesce(replies.earlier, '[]'), '$[#]', json_object('key', replies.key, 'why', json(replies.why)))`;
/** Drops a waiting reply with the same text as the new one. */
const REPLACE = `
  ON CONFLICT (surface, place, root, person) DO UPDATE SET
    since = iif(replies.why IS NULL, NULL, coalesce(replies.since, replies.key)),
    earlier = iif(replies.why IS NULL, NULL, (
      SELECT json_group_array(json(value) ORDER BY id) FROM (
        SELECT id, value FROM json_each(${WAITING})
        WHERE json_remove(value -> '$.why', '$.claim') <> json_remove(excluded.why, '$.claim')
        ORDER BY id DESC LIMIT ${MOST_EARLIER}))),
    key = excluded.key, why = excluded.why, at = excluded.at,
    conversation = iif(replies.why IS NULL OR replies.conversation IS excluded.conversation, excluded.conversation, NULL)
  WHERE replies.key <> excluded.key
    AND excluded.key NOT IN (SELECT value ->> '$.key' FROM json_each(replies.earlier))`;
const TOLD = "(SELECT told.value FROM json_each(@keys) AS told)";
const IS_TOLD = `one.value ->> '$.key' IN ${TOLD}`;
const WHOSE = "surface = @surface AND place = @place AND root = @root AND person = @person";

export const replyRows: Tables = {
  tables: {
    replies: {
      // The text of a reply may name files of the person.
      both: ["why", "earlier", "since"],
      conversation: ["surface", "place", "root", "person", "key", "stands", "at", "conversation"],
    },
  },
  erase: {
    person: {
      kind: "person",
      sql: [
        `UPDATE replies SET why = NULL, earlier = NULL, since = NULL
          WHERE surface = substr(@person, 1, instr(@person, ':') - 1) AND person = substr(@person, instr(@person, ':') + 1)
            AND why IS NOT NULL`,
      ],
    },
    conversation: {
      kind: "hidden",
      sql: [
        `DELETE FROM replies WHERE (surface, place, root) IN
          (SELECT surface, place, root FROM threads WHERE conversation = ?)`,
      ],
    },
  },
};

export const createReplyTable = (db: Database, read: Read): DirectPort<PendingReplyRows> => {
  const insert = db.prepare(`
    INSERT INTO replies (surface, place, root, person, key, why, at, conversation)
    VALUES (@surface, @place, @root, @person, @key, @why, @at, @why ->> '$.conversation') ${REPLACE}`);
  const selectAll = db.prepare<[string], Addressee>(
    "SELECT place, nullif(root, '') AS root, person FROM replies WHERE surface = ? AND why IS NOT NULL ORDER BY at",
  );
  const select = db.prepare(`
    SELECT coalesce(since, key) AS key, stands, ${WAITING} AS waiting FROM replies WHERE ${WHOSE} AND why IS NOT NULL`);
  const tell = db.prepare(`
    UPDATE replies SET stands = @stands, why = iif(key IN ${TOLD}, NULL, why),
      since = iif(key IN ${TOLD} OR EXISTS (SELECT 1 FROM json_each(earlier) AS one WHERE ${IS_TOLD}), NULL, since),
      earlier = (SELECT json_group_array(json(one.value) ORDER BY one.id) FROM json_each(earlier) AS one WHERE NOT ${IS_TOLD})
    WHERE ${WHOSE}`);
  const selectStanding = db.prepare<[string], PostedReply>(`
    SELECT place, nullif(root, '') AS root, person, key, stands, conversation, at FROM replies
    WHERE surface = ? AND why IS NULL AND stands IS NOT NULL AND conversation IS NOT NULL`);

  return {
    standing: (surface) => selectStanding.all(surface),
    owe: doing((surface, to, { key, why: reason, at }) =>
      insert.run({ ...whose(surface, to), key, why: encode(reason), at }),
    ),
    owed: (surface) => selectAll.all(surface),
    owedTo: (surface, to) => read(owed, select.get(whose(surface, to)), { table: "replies" }),
    told: doing((surface, to, keys, stands) =>
      tell.run({ ...whose(surface, to), keys: encode(keys), stands }),
    ),
  };
};

/** Part of the transaction that refuses a claim. A claim without a chat platform adds nothing. */
export const createOweRefusal = (db: Database) => {
  const insert = db.prepare(`
    INSERT INTO replies (surface, place, root, person, key, why, at, conversation)
    SELECT claims.surface, replace(place, '/' || claims.conversation, ''),
      CASE WHEN body ->> '$.source' = root AND place <> root THEN '' ELSE root END,
      substr(body ->> '$.speaker.id', length(claims.surface) + 2), 'refusal/' || id,
      json_object('kind', 'refused', 'conversation', claims.conversation, 'claim', id, 'why', @why), @at,
      iif(@why = 'agent_busy', claims.conversation, NULL)
    FROM claims JOIN threads ON threads.conversation = claims.conversation AND threads.surface = claims.surface
    WHERE claims.surface = @surface AND claims.id = @id ${REPLACE}`);
  return ({ surface, id }: ClaimKey, reason: Refusal, at: Millis): void =>
    void insert.run({ surface, id, why: reason, at });
};

const whose = (surface: string, { place, root, person }: Addressee) => ({
  surface,
  place,
  root: root ?? "",
  person,
});
