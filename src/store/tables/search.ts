/**
 * The index of words and titles. Steps do not write to it: what is new is found behind the last message that was looked
 * at and taken up in parts, between the steps. What was rewritten or deleted leaves it at once, by triggers (schema 13).
 */

import type { Tables } from "../../ports/tables.ts";
import type { Search } from "../../ports/store.ts";
import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { Words } from "../../thread/prompt.ts";
import { flag, json, type Read } from "../base/codec.ts";
import { createPluck } from "../base/pluck.ts";
import { conversationId, messageId } from "../schema/id.ts";
import { words } from "../schema/prompt.ts";
import { queryOf } from "./search-query.ts";
import { MARK, snippetOf } from "./search-snippet.ts";
import { type Direct, writing } from "../base/write.ts";

/** Of one call: it shares its transaction with people's steps. */
const MOST_ROWS = 128;
const MOST_CHARACTERS = 200_000;
/** Of one message; what stands behind is not found. */
const LONGEST = 32_000;
const found = z.object({
  at: z.number(),
  conversation: conversationId,
  surface: z.string(),
  title: json(z.string()),
  updatedAt: z.number(),
  archived: flag,
  of: z.enum(["title", "said", "answer"]),
  message: messageId.nullable(),
  text: z.string(),
});

interface Row {
  readonly conversation: ConversationId;
  readonly message: MessageId | null;
}

interface Fresh extends Row {
  readonly id: number;
  readonly size: number;
  /** Null where nobody searches them. */
  readonly words: string | null;
}

export const searchRows: Tables = {
  tables: {
    search: { both: ["text"] },
    searched: { both: ["n", "conversation", "message"] },
    unsearched: { both: ["n", "conversation", "message"] },
    search_reached: { kept: { "how far the index is": ["only", "message"] } },
  },
  erase: {
    person: {
      kind: "trigger",
      triggers: ["messages_rewritten", "conversations_retitled", "searched_deleted"],
    },
    conversation: { kind: "trigger", triggers: ["searched_deleted"] },
  },
};

export const createSearch = (db: Database, read: Read): Direct<Search> => {
  const selectHits = db.prepare(`
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
  const selectAgain = db.prepare<[number], Row & { readonly n: number }>(
    "SELECT n, conversation, message FROM unsearched ORDER BY n LIMIT ?",
  );
  const deleteAgain = db.prepare("DELETE FROM unsearched WHERE n = ?");
  const selectTitle = createPluck(db).one("SELECT title FROM conversations WHERE id = ?");
  /* Sub-agents speak to their parent, which says what came of it. */
  const withWords = `
    SELECT messages.rowid AS id, conversation, messages.id AS message, coalesce(length(words), 0) AS size,
      CASE WHEN user_initiated = 1 AND words ->> '$.kind' IN ('said', 'answer', 'comment') THEN words END AS words
    FROM messages CROSS JOIN conversations ON conversations.id = conversation`;
  const selectNew = db.prepare<[], Fresh>(
    `${withWords} WHERE messages.rowid > (SELECT message FROM search_reached) ORDER BY messages.rowid`,
  );
  const selectWords = db.prepare<[MessageId], Fresh>(`${withWords} WHERE messages.id = ?`);
  const setReached = db.prepare("UPDATE search_reached SET message = ?");
  const forgetMessage = db.prepare("DELETE FROM searched WHERE message = ?");
  const forgetTitle = db.prepare("DELETE FROM searched WHERE conversation = ? AND message IS NULL");
  /* What is new may have been written anew, and so be there. */
  const insertPlace = db.prepare("INSERT OR IGNORE INTO searched (conversation, message) VALUES (?, ?)");
  const insertText = db.prepare("INSERT INTO search (rowid, text) VALUES (?, ?)");

  const put = ({ conversation, message }: Row, text: string): void => {
    const found = plain(text);
    if (found === "") return;
    const { changes, lastInsertRowid } = insertPlace.run(conversation, message);
    if (changes > 0) insertText.run(lastInsertRowid, found);
  };

  const take = (row: Fresh | undefined): void => {
    if (row === undefined || row.words === null) return;
    const one = read(spoken, row.words, { table: "messages", id: row.message });
    if (one !== null) put(row, saidIn(one));
  };

  const takeAgain = ({ conversation, message }: Row): void => {
    if (message !== null) {
      forgetMessage.run(message);
      return take(selectWords.get(message));
    }
    forgetTitle.run(conversation);
    const from = { table: "conversations", conversation };
    put({ conversation, message }, read(title, selectTitle(conversation), from) ?? "");
  };

  /** The new ones that fit into one call: at least one. */
  const fresh = () => {
    const rows: Fresh[] = [];
    let size = 0;
    for (const row of selectNew.iterate()) {
      size += row.size;
      if (rows.length > 0 && (rows.length >= MOST_ROWS || size > MOST_CHARACTERS))
        return { rows, isAll: false };
      rows.push(row);
    }
    return { rows, isAll: true };
  };

  return {
    find: (typed, limit, before) => {
      const query = queryOf(typed);
      if (query === null) return [];
      const rows = selectHits.all({ match: query, limit, before: before ?? Number.MAX_SAFE_INTEGER });
      return read
        .all(found, rows, { table: "search" })
        .map(({ text, ...hit }) => ({ ...hit, snippet: snippetOf(text) }));
    },
    index: writing(() => {
      const again = selectAgain.all(MOST_ROWS);
      for (const row of again) {
        takeAgain(row);
        deleteAgain.run(row.n);
      }
      if (again.length === MOST_ROWS) return { kind: "indexed", isDone: false } as const;
      const { rows, isAll } = fresh();
      for (const row of rows) take(row);
      const last = rows.at(-1);
      if (last !== undefined) setReached.run(last.id);
      return { kind: "indexed", isDone: isAll } as const;
    }),
  };
};

const title = json(z.string());
const spoken = json(words);

const saidIn = (one: Words): string => {
  switch (one.kind) {
    case "said":
    case "comment":
      return one.text;
    case "answer":
      return one.blocks.flatMap((block) => (block.kind === "text" ? block.text : [])).join("\n");
    case "result":
    case "meta":
    case "dangers":
    case "proposal":
    case "gone":
      return "";
  }
};

const plain = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
