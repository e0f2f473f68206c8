/** Every question ever asked, with its shown content and outcome, for `parley audit`. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { QuestionSpec } from "../../machine/vocabulary.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { QuestionRow } from "../../ports/store.ts";
import { json, type Read } from "../base/codec.ts";
import { repoSchema } from "../schema/conversation.ts";
import { messageIdSchema } from "../schema/id.ts";
import { askSchema, callSchema } from "../schema/vocabulary.ts";
import { questionRow } from "./questions.ts";

export interface DecisionRow extends Omit<QuestionRow, "wire" | "type"> {
  readonly surface: string;
  readonly repo: RepositoryBinding;
  readonly title: string;
  /** Null if `shown` cannot be read. */
  readonly asked: AskedInTurn | null;
  /** Shown content as it was hashed; null if the row no longer contains that content. */
  readonly shown: string | null;
}

export interface AskedInTurn {
  readonly ask: QuestionSpec;
  /** The response whose call asks: its words contain the reason. */
  readonly message: MessageId;
  readonly call: { readonly id: string; readonly name: string };
}

const packet = z
  .object({ question: z.intersection(askSchema, z.object({ message: messageIdSchema })), call: callSchema })
  .transform(
    ({ question: { message, ...asked }, call: { id, name } }): AskedInTurn => ({
      ask: asked,
      message,
      call: { id, name },
    }),
  );

const row = questionRow.omit({ wire: true, type: true }).extend({
  shown: z.string().nullable(),
  /* A manipulated row is reported too: its fingerprint reveals the change. */
  asked: json(packet).nullable().catch(null),
  surface: z.string(),
  title: json(z.string()),
  repo: json(repoSchema),
});

export const createDecisions = (db: Database, read: Read) => {
  const select = db.prepare<[], { readonly conversation: ConversationId; readonly question: string }>(`
    SELECT q.conversation, q.question, q.fingerprint, q.asked_at AS askedAt, q.status, q.settled_by AS "by",
      q.settled_at AS at, q.shown, q.shown AS asked, c.surface, c.title, c.repo
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
