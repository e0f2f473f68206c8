/** A row contains words, an entry, or both: words have no position until an entry names them (D8). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { Entry } from "../../machine/transcript.ts";
import type { LogFields } from "../../ports/host.ts";
import type { Tables } from "../../ports/tables.ts";
import type { AttachedFile, TranscriptMessage, StoredContent } from "../../thread/prompt.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { messageIdSchema } from "../schema/id.ts";
import { wordsSchema } from "../schema/prompt.ts";
import { entrySchema } from "../schema/transcript.ts";
import { createTable } from "../base/table.ts";
import { messageNamedBy, type StepRows } from "./step-rows.ts";

const appended = json(entrySchema);
const spoken = json(wordsSchema);
const owned = z.object({ id: messageIdSchema, words: json(wordsSchema) });
const GONE: StoredContent = { kind: "gone" };

interface Placed {
  readonly position: number;
  readonly turn: number;
  readonly entry: string;
}

interface Worded extends Placed {
  readonly words: string | null;
}

interface LatestTurn {
  readonly turn: number;
  readonly entries: Entry[];
  /** Null if no entries were found yet. */
  next: number | null;
}

/** With several hosts, each has a separate range of numbers. */
const NUMBER = "numbered((SELECT max(rowid) FROM messages))";

const MOST_KEPT = 20_000;

export const messageRows: Tables = {
  tables: {
    messages: { both: ["words"], conversation: ["id", "conversation", "position", "turn", "kind", "entry"] },
  },
  files: { messages: "words" },
  erase: {
    person: {
      kind: "step",
      // The old words are overwritten, because the connection deletes securely. The plus makes SQLite find each message by id.
      sql: [
        `UPDATE messages SET words = erased.value ->> '$.words' FROM json_each(@erased, '$.words') AS erased
          WHERE messages.id = erased.value ->> '$.id' AND +messages.conversation = @conversation`,
      ],
    },
    conversation: {
      kind: "pieces",
      sql: [
        "DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages WHERE conversation = @id LIMIT @limit)",
      ],
    },
  },
};

export const createMessages = (db: Database, read: Read) => {
  const insertWords = db.prepare(
    `INSERT INTO messages (rowid, id, conversation, words) VALUES (${NUMBER}, ?, ?, ?)`,
  );
  const deleteWords = db.prepare(
    "DELETE FROM messages WHERE id = ? AND conversation = ? AND position IS NULL",
  );
  const reword = db.prepare("UPDATE messages SET words = ? WHERE id = ? AND position IS NULL");
  const place = db.prepare(`
    UPDATE messages SET position = @position, turn = @turn, kind = @kind, entry = @entry
    WHERE id = @id AND conversation = @conversation AND position IS NULL`);
  const insertEntry = db.prepare(`
    INSERT INTO messages (rowid, id, conversation, position, turn, kind, entry, words)
    VALUES (${NUMBER}, @id, @conversation, @position, @turn, @kind, @entry, @words)`);
  const pluck = createColumnReader(db);
  const selectWords = db.prepare<[MessageId], Pick<Worded, "words">>(
    "SELECT words FROM messages WHERE id = ?",
  );
  const selectHistory = db.prepare<[ConversationId, number], Worded>(`
    SELECT position, turn, entry, words FROM messages WHERE conversation = ? AND position >= ? ORDER BY position`);
  const selectTurnAt = pluck.one<[ConversationId, number], number>(
    "SELECT turn FROM messages WHERE conversation = ? AND position >= ? ORDER BY position LIMIT 1",
  );
  const selectLast = pluck.one<[ConversationId], number>(
    "SELECT position FROM messages WHERE conversation = ? AND position >= 0 ORDER BY position DESC LIMIT 1",
  );
  const selectBackwards = db.prepare<[ConversationId], Placed>(`
    SELECT position, turn, entry FROM messages WHERE conversation = ? AND position >= 0 ORDER BY position DESC`);
  const selectFrom = db.prepare<[ConversationId, number], Placed>(`
    SELECT position, turn, entry FROM messages WHERE conversation = ? AND position >= ? ORDER BY position`);
  /** Cache of recently read latest turns: stored entries never change, and each step of a turn needs all of them. */
  const lately = createLruCache<LatestTurn>(MOST_KEPT, ({ entries }) => entries.length + 1);

  const selectAll = createTable(db, read)("messages", ["id"], owned).all(
    "WHERE conversation = ? AND words IS NOT NULL ORDER BY rowid",
  );

  /** A continuation keeps the files of the conversations before it. */
  const selectFiled = pluck.all<[ConversationId], string>(`
    WITH RECURSIVE line (id) AS (
      SELECT ? UNION SELECT origin ->> 'conversation' FROM conversations JOIN line USING (id)
      WHERE origin IS NOT NULL
    ) SELECT words FROM line JOIN conversations USING (id) JOIN messages ON messages.conversation = line.id
    WHERE removed = 0 AND instr(words, '"hash":"') > 0`);

  const wordsOf = (said: string | null, from: LogFields): StoredContent =>
    said === null ? GONE : (read(spoken, said, from) ?? GONE);

  const toldOf = (conversation: ConversationId, row: Worded): TranscriptMessage => {
    const from = { table: "messages", conversation, position: row.position };
    const found = read(appended, row.entry, from) ?? lost(row.turn);
    if (messageNamedBy(found) === null) return { entry: found, words: null };
    return { entry: found, words: wordsOf(row.words, from) };
  };

  const firstOf = (conversation: ConversationId, turn: number): number => {
    let low = 0;
    let high = (selectLast(conversation) ?? -1) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((selectTurnAt(conversation, middle) ?? turn) < turn) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const lastOf = (conversation: ConversationId, turn: number): readonly Placed[] => {
    const found: Placed[] = [];
    for (const row of selectBackwards.iterate(conversation)) {
      if (row.turn !== turn) break;
      found.push(row);
    }
    return found.toReversed();
  };

  return {
    all: (conversation: ConversationId): ReadonlyMap<MessageId, StoredContent> =>
      new Map(selectAll(conversation).map(({ id, words: said }) => [id, said])),

    /** Words named by an entry of this step share the entry's row; other words wait. */
    append({ conversation, entries, waiting }: StepRows, position: number): number {
      for (const [index, { id, words, ...rest }] of entries.entries()) {
        const at = position + index;
        const row = { ...rest, id: id ?? `${conversation}/${at}`, conversation, position: at };
        if (words !== null || place.run(row).changes === 0) insertEntry.run({ ...row, words });
      }
      for (const { id, words } of waiting) insertWords.run(id, conversation, words);
      return position + entries.length;
    },

    /** Removes words that no entry will name. */
    forget: (conversation: ConversationId, id: MessageId): void => void deleteWords.run(id, conversation),

    reword: (id: MessageId, words: string): void => void reword.run(words, id),

    history: (conversation: ConversationId, after: number): readonly TranscriptMessage[] =>
      selectHistory.all(conversation, after).map((row) => toldOf(conversation, row)),

    told(conversation: ConversationId, turn: number): readonly TranscriptMessage[] {
      const found: TranscriptMessage[] = [];
      for (const row of selectHistory.iterate(conversation, firstOf(conversation, turn))) {
        if (row.turn !== turn) break;
        found.push(toldOf(conversation, row));
      }
      return found;
    },

    words(ids: readonly MessageId[]): ReadonlyMap<MessageId, StoredContent> {
      const found = new Map<MessageId, StoredContent>();
      for (const id of ids) {
        const row = selectWords.get(id);
        if (row !== undefined) found.set(id, wordsOf(row.words, { table: "messages", id }));
      }
      return found;
    },

    attached: (conversation: ConversationId): readonly AttachedFile[] =>
      selectFiled(conversation).flatMap((said) => {
        const words = wordsOf(said, { table: "messages", conversation });
        return words.kind === "said" ? (words.files ?? []) : [];
      }),

    /** Entries of `turn`, which must be the conversation's last. */
    turn(conversation: ConversationId, turn: number): readonly Entry[] {
      const known = lately.get(conversation);
      const so: LatestTurn = known?.turn === turn ? known : { turn, entries: [], next: null };
      const rows = so.next === null ? lastOf(conversation, turn) : selectFrom.all(conversation, so.next);
      for (const row of rows) {
        const one = row.turn === turn ? read(appended, row.entry, { table: "messages", conversation }) : null;
        if (one !== null) so.entries.push(one);
        so.next = row.position + 1;
      }
      lately.set(conversation, so);
      return [...so.entries];
    },
  };
};

/** Replaces an unreadable entry, so that positions stay right; notices are never sent to the model. */
const lost = (turn: number): Entry => ({
  turn,
  seq: 0,
  at: 0,
  kind: "notice",
  notice: { kind: "interrupted" },
});
