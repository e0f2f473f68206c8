/**
 * The index of texts and titles, which each host builds from its rows. Steps do not write to the index: new
 * rows are found after the last indexed message and added in parts, between the steps. Triggers remove
 * rewritten and deleted texts at once (schema 13).
 */

import * as z from "zod";
import type { Core } from "../../../feature.ts";
import type { RowChange, Rows } from "../../../ports/rows.ts";
import { createRead, flag, json } from "../../../store/base/codec.ts";
import { conversationIdSchema, messageIdSchema } from "../../../store/schema/id.ts";
import type { SearchIndex } from "./ports.ts";
import { searchQueryOf } from "./query.ts";
import { MARK, snippetOf } from "./snippet.ts";

/** Limits of one call, which shares its transaction with people's steps. */
const MOST_ROWS = 128;
const MOST_BYTES = 200_000;
/** Maximum number of indexed characters of a message; the rest cannot be found. */
const LONGEST = 32_000;

const found = z.object({
  at: z.number(),
  conversation: conversationIdSchema,
  surface: z.string(),
  title: json(z.string()),
  updatedAt: z.number(),
  archived: flag,
  of: z.enum(["title", "said", "answer"]),
  message: messageIdSchema.nullable(),
  text: z.string(),
});

interface IndexDeps extends Pick<Core, "log"> {
  readonly rows: Pick<Rows, "select" | "writeLocal">;
}

export const createSearchIndex = ({ rows, log }: IndexDeps): SearchIndex => {
  const read = createRead(log);
  const selectHits = rows.select(`
    SELECT search.rowid AS at, searched.conversation, searched.message, conversations.surface, conversations.title,
      conversations.updated_at AS updatedAt, conversations.archived,
      highlight(search, 0, '${MARK}', '${MARK}') AS text,
      CASE WHEN searched.message IS NULL THEN 'title' WHEN 'answer' =
        (SELECT messages.words ->> '$.kind' FROM messages WHERE messages.id = searched.message)
        THEN 'answer' ELSE 'said' END AS "of"
    FROM search JOIN searched ON searched.n = search.rowid
      JOIN conversations ON conversations.id = searched.conversation
    WHERE search MATCH @match AND search.rowid < @before AND conversations.removed = 0
    ORDER BY search.rowid DESC LIMIT @limit`);
  const selectLeft = rows.select(`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM unsearched)
      OR EXISTS (SELECT 1 FROM messages WHERE messages.rowid > (SELECT message FROM search_reached))`);
  const isDone = (): boolean => selectLeft({}).length === 0;

  return {
    find: (typed, limit, before) => {
      const match = searchQueryOf(typed);
      if (match === null) return [];
      const hits = selectHits({ match, limit, before: before ?? Number.MAX_SAFE_INTEGER });
      return read
        .all(found, hits, { table: "search" })
        .map(({ text, ...hit }) => ({ ...hit, snippet: snippetOf(text) }));
    },
    index: async () => {
      const done = isDone() ? null : await rows.writeLocal(TAKE_UP);
      return done?.kind === "failed" ? done : { kind: "indexed", isDone: isDone() };
    },
  };
};

/* The mark is removed from indexed texts. */
const PLAIN = `trim(replace(substr(whole, 1, ${LONGEST}), '${MARK}', ' '), ' ' || char(9, 10, 13))`;

/**
 * SQL for the searchable texts of messages, and of titles if there is no message. Sub-agents are excluded,
 * because their parent reports their results.
 */
const textsOf = (places: string): string => `
  SELECT at, conversation, message, text FROM (
    SELECT at, conversation, message, ${PLAIN} AS text FROM (
      SELECT places.at, places.conversation, places.message,
        CASE WHEN places.message IS NULL THEN conversations.title ->> '$'
          WHEN conversations.user_initiated = 1 THEN CASE messages.words ->> '$.kind'
            WHEN 'said' THEN messages.words ->> '$.text'
            WHEN 'comment' THEN messages.words ->> '$.text'
            WHEN 'answer' THEN (
              SELECT group_concat(block.value ->> '$.text', char(10) ORDER BY block.key)
              FROM json_each(messages.words, '$.blocks') AS block WHERE block.value ->> '$.kind' = 'text') END
        END AS whole
      FROM (${places}) AS places
        CROSS JOIN conversations ON conversations.id = places.conversation
        LEFT JOIN messages ON messages.id = places.message))
  WHERE text <> ''`;

const put = (places: string): readonly string[] => {
  const texts = textsOf(places);
  const insert = "INSERT INTO search (rowid, text) SELECT searched.n, texts.text";
  const isNew = "NOT EXISTS (SELECT 1 FROM search WHERE search.rowid = searched.n)";
  return [
    // A new message may have been rewritten, so the list may already contain the message.
    `INSERT OR IGNORE INTO searched (conversation, message) SELECT conversation, message FROM (${texts}) ORDER BY at`,
    `${insert} FROM (${texts}) AS texts CROSS JOIN searched ON searched.message = texts.message WHERE ${isNew}`,
    `${insert} FROM (${texts}) AS texts CROSS JOIN searched
      ON searched.conversation = texts.conversation AND +searched.message IS NULL
      WHERE texts.message IS NULL AND ${isNew}`,
  ];
};

/** Rows that were rewritten. */
const AGAIN = `SELECT n, conversation, message FROM unsearched ORDER BY n LIMIT ${MOST_ROWS}`;

/** The new messages that fit into one call, at least one. Only the sizes of further messages are read. */
const NEW = `
  SELECT at, conversation, message FROM (
    SELECT at, conversation, message, row_number() OVER (ORDER BY at) AS place, sum(size) OVER (ORDER BY at) AS sizes
    FROM (
      SELECT messages.rowid AS at, conversation, id AS message, coalesce(octet_length(words), 0) AS size FROM messages
      WHERE messages.rowid > (SELECT message FROM search_reached) ORDER BY messages.rowid LIMIT ${MOST_ROWS}))
  WHERE place = 1 OR sizes <= ${MOST_BYTES}`;

const TAKE_UP: readonly RowChange[] = [
  `DELETE FROM searched WHERE message IN (SELECT message FROM (${AGAIN}))`,
  `DELETE FROM searched WHERE +message IS NULL
    AND conversation IN (SELECT conversation FROM (${AGAIN}) WHERE message IS NULL)`,
  ...put(`SELECT max(n) AS at, conversation, message FROM (${AGAIN}) GROUP BY conversation, message`),
  `DELETE FROM unsearched WHERE n IN (SELECT n FROM (${AGAIN}))`,
  ...put(NEW),
  `UPDATE search_reached SET message = coalesce((SELECT max(at) FROM (${NEW})), message)`,
].map((sql) => ({ sql, values: {} }));
