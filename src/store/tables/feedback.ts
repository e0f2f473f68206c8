/** Votes on answers, and solved questions. The key of the hashes belongs to this database and never leaves it. */

import { createHmac } from "node:crypto";
import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId, Millis, PersonId } from "../../machine/id.ts";
import type { AnswerId } from "../../ports/answers.ts";
import {
  type FeedbackRows,
  MAX_REASON,
  type AnswerFeedback,
  type Rating,
  type Vote,
} from "../../ports/feedback.ts";
import type { Tables } from "../../ports/tables.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import type { Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { conversationIdSchema, messageIdSchema } from "../schema/id.ts";
import { createTable } from "../base/table.ts";
import { type DirectPort, doing, writing } from "../base/write.ts";

const answerRow = z.object({ conversation: conversationIdSchema, message: messageIdSchema });
const solvedRow = answerRow.extend({ at: z.number() });
const voteRow = z.object({
  thumb: z.enum(["up", "down"]).nullable(),
  reason: z.string().nullable(),
  click: z.string(),
  at: z.number(),
});
const counts = z.object({ up: z.number(), down: z.number() });

const KEY = "feedback-key";

/** True if no later turn has started in the conversation. */
const STANDS = "solved.turn = conversations.state ->> '$.turn.no'";

export const feedbackRows: Tables = {
  heard: ["solved"],
  tables: {
    votes: { both: ["conversation", "answer", "voter", "thumb", "reason", "click", "at"] },
    solved: { conversation: ["conversation", "answer", "turn", "at"] },
  },
  erase: {
    person: {
      kind: "person",
      /* When an answer's words are erased, the trigger `feedback_gone` deletes its votes and its mark. */
      sql: [
        `DELETE FROM votes WHERE voter =
          hashed((SELECT value FROM notes WHERE name = '${KEY}'), 'voter', conversation, answer, @person)`,
      ],
    },
    conversation: {
      kind: "hidden",
      sql: ["DELETE FROM votes WHERE conversation = ?", "DELETE FROM solved WHERE conversation = ?"],
    },
  },
};

export const createFeedback = (db: Database, read: Read): DirectPort<FeedbackRows> => {
  const pluck = createColumnReader(db);
  const selectKey = pluck.one<[], string>(`SELECT value FROM notes WHERE name = '${KEY}'`);
  const hash = (...parts: readonly string[]): string => hashed(selectKey(), parts);
  const votes = createTable(db, read)("votes", ["conversation", "answer", "voter"], voteRow);
  const one = votes.one();
  const put = votes.put();
  const exists = db.prepare("SELECT 1 FROM messages WHERE id = ? AND conversation = ? AND words IS NOT NULL");
  const mark = db.prepare(`
    INSERT INTO solved (conversation, answer, turn, at)
    SELECT id, @message, state ->> '$.turn.no', @at FROM conversations WHERE id = @conversation
    ON CONFLICT DO UPDATE SET answer = excluded.answer, turn = excluded.turn, at = excluded.at
    WHERE (answer, turn) IS NOT (excluded.answer, excluded.turn)`);
  const count = db.prepare(`
    SELECT count(*) FILTER (WHERE thumb = 'up') AS up, count(*) FILTER (WHERE thumb = 'down') AS down
    FROM votes WHERE conversation = ? AND answer = ?`);
  const reasons = pluck.all<[ConversationId, MessageId], string>(`
    SELECT reason FROM votes WHERE conversation = ? AND answer = ? AND thumb = 'down' AND reason IS NOT NULL
    ORDER BY at, voter`);
  const solvedAt = pluck.one<[ConversationId, MessageId], Millis>(`
    SELECT solved.at FROM solved JOIN conversations ON id = conversation
    WHERE conversation = ? AND answer = ? AND ${STANDS}`);
  const selectBy = db.prepare(`
    SELECT conversation, answer AS message, solved.at FROM solved JOIN conversations ON id = conversation
    WHERE conversation = ? AND ${STANDS}`);

  const voterOf = (answer: AnswerId, person: PersonId): string => hash(...voterParts(answer, person));
  const standing = (answer: AnswerId, voter: string) => one(answer.conversation, answer.message, voter);

  const keep = (vote: Vote, voter: string, thumb: Rating | null, reason: string | null): void => {
    const { conversation, message, at } = vote;
    put(conversation, message, voter, { thumb, reason, click: hash("click", vote.click), at });
  };

  const received = ({ conversation, message }: AnswerId): AnswerFeedback => ({
    conversation,
    message,
    ...counts.parse(count.get(conversation, message)),
    reasons: reasons(conversation, message),
    solved: solvedAt(conversation, message),
  });

  return {
    thumb: (answer, person) => standing(answer, voterOf(answer, person))?.thumb ?? null,
    vote: writing((given, thumb) => {
      const voter = voterOf(given, given.person);
      const before = standing(given, voter);
      const isAgain = before?.click === hash("click", given.click);
      if (isAgain) return { kind: "voted", thumb: before.thumb } as const;
      const now = before?.thumb === thumb ? null : thumb;
      if (exists.get(given.message, given.conversation) === undefined) return NOTHING;
      keep(given, voter, now, null);
      return { kind: "voted", thumb: now } as const;
    }),
    explain: doing((given, reason) => {
      if (exists.get(given.message, given.conversation) === undefined) return;
      const text = Array.from(maskSecrets(reason)).slice(0, MAX_REASON).join("");
      keep(given, voterOf(given, given.person), "down", text);
    }),
    solve: doing((answer, at) =>
      exists.get(answer.message, answer.conversation) === undefined ? 0 : mark.run({ ...answer, at }),
    ),
    received: (some) => some.map(received),
    solvedIn: pluck.all(`
      SELECT conversation FROM solved JOIN threads USING (conversation) JOIN conversations ON id = conversation
      WHERE threads.surface = ? AND threads.server IS ? AND ${STANDS} AND conversations.archived = 0`),
    solvedBy: (conversation) =>
      read(solvedRow, selectBy.get(conversation), { table: "solved", conversation }),
    serverOf: pluck.one(
      "SELECT server FROM threads WHERE surface = ? AND place = ? AND server IS NOT NULL LIMIT 1",
    ),
  };
};

export const setHashing = (db: Database): void => {
  db.function("hashed", { varargs: true }, (key, ...parts) => hashed(key, parts));
};

const hashed = (key: unknown, parts: readonly unknown[]): string =>
  createHmac("sha256", typeof key === "string" ? key : "")
    .update(JSON.stringify(parts))
    .digest("base64url");

/** The answer is part of the hash, so that a voter cannot be recognized at another answer. */
const voterParts = ({ conversation, message }: AnswerId, person: PersonId): readonly string[] => [
  "voter",
  conversation,
  message,
  person,
];

/** Result of a vote on an erased answer. */
const NOTHING = { kind: "voted", thumb: null } as const;
