/** All groups of tables, in the order of deletion: a group comes before the groups that its rows refer to or are found by. */

import type { Database } from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { answerRows } from "./answers.ts";
import { channelRows, instructionRows } from "./chat.ts";
import { claimRows } from "./claims.ts";
import { conversationRows, prefixRows } from "./conversations.ts";
import { threadRows } from "./deliveries.ts";
import { feedbackRows } from "./feedback.ts";
import { blobRows } from "./blobs.ts";
import { messageRows } from "./messages.ts";
import { noteRows } from "./notes.ts";
import { postRows } from "./posts.ts";
import { questionRows } from "./questions.ts";
import { replyRows } from "./replies.ts";
import { traceRows } from "./trace.ts";

export const withCoreTables = (ofFeatures: readonly Tables[]): readonly Tables[] => [
  ...ofFeatures,
  channelRows,
  instructionRows,
  noteRows,
  prefixRows,
  answerRows,
  feedbackRows,
  questionRows,
  replyRows,
  threadRows,
  messageRows,
  claimRows,
  traceRows,
  postRows,
  blobRows,
  conversationRows,
];

/** Also adds tables of other features that the database has (`src/ports/tables.ts`). */
export const allTables = (db: Database, ofFeatures: readonly Tables[]): readonly Tables[] => {
  const declared = withCoreTables(ofFeatures);
  return [...undeclared(db, declared), ...declared];
};

const undeclared = (db: Database, declared: readonly Tables[]): readonly Tables[] => {
  const pluck = createColumnReader(db);
  // `replica` records the position of a copy of a shared database.
  const unknown = pluck.all<[string], string>(`
    SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict AND name <> 'replica'
      AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY name`);
  const ofConversations = pluck.one<[string], number>(
    "SELECT 1 FROM pragma_table_info(?) WHERE name = 'conversation'",
  );
  const names = declared.flatMap(({ tables }) => Object.keys(tables));
  return unknown(JSON.stringify(names)).flatMap((name) => {
    const all: Tables = {
      tables: { [name]: {} },
      erase: {
        person: { kind: "person", sql: [`DELETE FROM "${name}"`] },
        conversation: { kind: "kept", why: "nothing names the conversation" },
      },
    };
    if (ofConversations(name) === null) return [all];
    const ofConversation: Tables = {
      tables: {},
      erase: {
        person: { kind: "step", sql: [`DELETE FROM "${name}" WHERE conversation = @conversation`] },
        conversation: { kind: "hidden", sql: [`DELETE FROM "${name}" WHERE conversation = ?`] },
      },
    };
    return [all, ofConversation];
  });
};
