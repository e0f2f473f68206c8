/** Questions to people. A question leaves `pending` once: a second click on any surface finds it decided (idea 4). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import type { QuestionChange } from "../../ports/questions.ts";
import type { Tables } from "../../ports/tables.ts";
import type { Read } from "../base/codec.ts";
import { conversationIdSchema, personIdSchema, questionIdSchema } from "../schema/id.ts";
import { askKindSchema, choiceSchema } from "../schema/vocabulary.ts";
import { createTable } from "../base/table.ts";

export const questionRow = z.object({
  wire: z.string(),
  conversation: conversationIdSchema,
  question: questionIdSchema,
  type: askKindSchema,
  fingerprint: z.string(),
  askedAt: z.number(),
  status: z.enum(["pending", ...choiceSchema.options, "withdrawn"]),
  by: personIdSchema.nullable(),
  at: z.number().nullable(),
});

const COLUMNS = { by: "settled_by", at: "settled_at" };

export const questionRows: Tables = {
  tables: {
    questions: {
      conversation: [
        "wire",
        "conversation",
        "question",
        "type",
        "fingerprint",
        "shown",
        "asked_at",
        "status",
        "settled_by",
        "settled_at",
      ],
    },
    announcements: { conversation: ["surface", "wire", "place", "message", "is_open"] },
  },
  erase: {
    person: { kind: "kept", why: "a question names words by id; who decided, and when, stays for the audit" },
    conversation: {
      kind: "hidden",
      sql: [
        "DELETE FROM announcements WHERE wire IN (SELECT wire FROM questions WHERE conversation = ?)",
        "DELETE FROM questions WHERE conversation = ?",
      ],
    },
  },
};

export const createQuestions = (db: Database, read: Read) => {
  const insert = db.prepare(`
    INSERT INTO questions (wire, conversation, question, type, shown, fingerprint, asked_at, status)
    VALUES (@wire, @conversation, @question, @type, @shown, @fingerprint, @at, 'pending')`);
  const settle = db.prepare(`
    UPDATE questions SET status = @status, settled_by = @by, settled_at = @at
    WHERE conversation = @conversation AND question = @question AND status = 'pending'`);
  const questions = createTable(db, read)("questions", ["wire"], questionRow, COLUMNS);

  return {
    /** Returns false if the change is impossible: only a pending question can be decided. */
    apply(conversation: ConversationId, change: QuestionChange): boolean {
      const row = { ...change, conversation };
      if (change.kind === "asked") return insert.run(row).changes === 1;
      const status = change.kind === "decided" ? change.choice : change.kind;
      return settle.run({ ...row, status }).changes === 1;
    },

    get: questions.one(),
    waiting: questions.all("WHERE status = 'pending' ORDER BY asked_at"),
    pending: questions.one("WHERE conversation = ? AND status = 'pending'"),
  };
};
