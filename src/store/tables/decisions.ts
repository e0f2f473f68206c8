/** Every question ever put to people, with what was shown and what became of it, for `parley audit`. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { Ask } from "../../machine/words.ts";
import type { Bound } from "../../ports/conversation.ts";
import type { QuestionRow } from "../../ports/store.ts";
import { json, type Read } from "../codec.ts";
import { repo } from "../schema/conversation.ts";
import { conversationId, messageId, personId, questionId } from "../schema/id.ts";
import { ask, call, choice } from "../schema/words.ts";

export interface DecisionRow extends Omit<QuestionRow, "wire" | "type"> {
  readonly surface: string;
  readonly repo: Bound;
  readonly title: string;
  /** Null in rows of versions that did not keep it. */
  readonly asked: Asked | null;
  /** What was shown, as it was hashed; null in rows of before. */
  readonly shown: string | null;
}

export interface Asked {
  readonly ask: Ask;
  /** The response whose call asks: its words hold the reason. */
  readonly message: MessageId;
  readonly call: { readonly id: string; readonly name: string };
}

const packet = z.object({ question: z.intersection(ask, z.object({ message: messageId })), call }).transform(
  ({ question: { message, ...asked }, call: { id, name } }): Asked => ({
    ask: asked,
    message,
    call: { id, name },
  }),
);

const row = z
  .object({
    conversation: conversationId,
    question: questionId,
    fingerprint: z.string(),
    asked_at: z.number(),
    status: z.enum(["pending", ...choice.options, "withdrawn"]),
    settled_by: personId.nullable(),
    settled_at: z.number().nullable(),
    shown: z.string().nullable(),
    /* A row that somebody changed is told too: its fingerprint shows it. */
    packet: json(packet).nullable().catch(null),
    surface: z.string(),
    title: json(z.string()),
    repo: json(repo),
  })
  .transform(({ asked_at, settled_by, settled_at, packet: asked, ...rest }): DecisionRow => {
    return { ...rest, asked, askedAt: asked_at, by: settled_by, at: settled_at };
  });

export const createDecisions = (db: Database, read: Read) => {
  const select = db.prepare<[], { readonly conversation: ConversationId; readonly question: string }>(`
    SELECT q.conversation, q.question, q.fingerprint, q.asked_at, q.status, q.settled_by, q.settled_at, q.shown,
      q.shown AS packet, c.surface, c.title, c.repo
    FROM questions q JOIN conversations c ON c.id = q.conversation
    ORDER BY q.asked_at, q.conversation, q.question`);
  return function* decisions(): Generator<DecisionRow> {
    for (const one of select.iterate()) {
      const { conversation, question } = one;
      const found = read(row, one, { table: "questions", conversation, question });
      if (found !== null) yield found;
    }
  };
};
