/** A check of the repository updates the state of an answer's citations, in this table and in the words that posts show. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId, Millis } from "../../machine/id.ts";
import type { Answer, AnswerId, Answers, CheckedAnswer } from "../../ports/answers.ts";
import { freshnessOf } from "../../ports/answers.ts";
import type { Tables } from "../../ports/tables.ts";
import { encode, flag, json, type Read } from "../base/codec.ts";
import { baseSchema, repoSchema } from "../schema/conversation.ts";
import { conversationIdSchema, listSchema, messageIdSchema } from "../schema/id.ts";
import { type citationSchema, citationsSchema, wordsSchema } from "../schema/prompt.ts";
import { type DirectPort, doing, writing } from "../base/write.ts";
import { DELIVERY_PLACE } from "./deliveries.ts";
import { createBumpRevision } from "./posts.ts";
import type { StepRows } from "./step-rows.ts";

const cites = json(citationsSchema);
const row = z
  .object({
    conversation: conversationIdSchema,
    message: messageIdSchema,
    turn: z.number(),
    said: json(listSchema(messageIdSchema)),
    at: z.number(),
    citations: cites,
    standing: z.enum(["holds", "moved", "changed"]),
    looked: json(listSchema(z.string())),
    audience: z.enum(["public", "private"]).nullable(),
    surface: z.string(),
    isArchived: flag,
    repo: json(repoSchema),
    base: json(baseSchema),
    place: z.string().nullable(),
    root: z.string().nullable(),
    server: z.string().nullable(),
    asked: json(wordsSchema).nullable(),
  })
  .transform(({ turn, asked, place, root, server, ...rest }): Answer => {
    const { text, own, images } = asked?.kind === "said" ? asked : { text: "", own: undefined, images: [] };
    const isPlain = images.length === 0 && (own?.said ?? 0) === 0;
    return {
      ...rest,
      turn,
      // `turnPost` uses the same key.
      post: `turn/${turn}/1`,
      question: { text: text.slice(own?.said ?? 0), isPlain },
      thread: place === null || root === null ? null : { place, root, server },
    };
  });

/* Commit of a reused answer, in a conversation without a checkout. */
const GIVEN_AT = `(SELECT json_object('commit', cited.value ->> '$.at', 'ref', '', 'cwd', '')
  FROM json_each(answers.citations) AS cited WHERE cited.value ->> '$.at' IS NOT NULL LIMIT 1)`;

const SELECT = `
  SELECT answers.conversation, answers.message, answers.turn, answers.said, answers.at, answers.citations, answers.standing, answers.looked, answers.audience,
    conversations.surface, conversations.archived AS isArchived, conversations.repo,
    coalesce(conversations.base, ${GIVEN_AT}) AS base,
    ${DELIVERY_PLACE} AS place,
    threads.root, threads.server, asked.words AS asked
  FROM answers
    JOIN conversations ON conversations.id = answers.conversation
    JOIN messages AS asked ON asked.id = answers.question
    LEFT JOIN threads ON threads.conversation = answers.conversation
  WHERE conversations.removed = 0 AND coalesce(conversations.base, ${GIVEN_AT}) IS NOT NULL`;

export const answerRows: Tables = {
  tables: {
    answers: {
      both: [
        "conversation",
        "message",
        "turn",
        "question",
        "said",
        "at",
        "cost",
        "citations",
        "standing",
        "looked",
        "audience",
      ],
    },
  },
  erase: {
    person: {
      kind: "step",
      sql: [
        `DELETE FROM answers WHERE conversation = @conversation AND (
          question IN (SELECT value FROM json_each(@ids))
          OR EXISTS (SELECT 1 FROM json_each(said) AS response
            WHERE response.value IN (SELECT value FROM json_each(@ids))))`,
      ],
    },
    conversation: { kind: "hidden", sql: ["DELETE FROM answers WHERE conversation = ?"] },
  },
};

export const createAnswers = (db: Database, read: Read): DirectPort<Answers> => {
  const showAnew = createBumpRevision(db);
  const select = db.prepare<[ConversationId, MessageId]>(
    `${SELECT} AND answers.conversation = ? AND answers.message = ?`,
  );
  const selectPublic = db.prepare<[Millis, number], AnswerId>(`
    SELECT conversation, message FROM answers
    WHERE at >= ? AND audience = 'public' AND standing <> 'changed' ORDER BY at DESC LIMIT ?`);
  const selectPage = db.prepare<[Millis, Millis, string, string]>(`${SELECT}
    AND answers.at >= ? AND (answers.at, answers.conversation, answers.message) < (?, ?, ?)
    ORDER BY answers.at DESC, answers.conversation DESC, answers.message DESC`);
  const selectUnplaced = db.prepare<[Millis]>(
    `${SELECT} AND answers.at >= ? AND answers.audience IS NULL AND threads.root IS NOT NULL ORDER BY answers.at`,
  );
  const selectKept = db.prepare<
    [ConversationId, MessageId],
    { readonly citations: string; readonly said: string }
  >("SELECT citations, said FROM answers WHERE conversation = ? AND message = ?");
  const update = db.prepare(`
    UPDATE answers SET citations = @citations, standing = @standing, looked = @looked
    WHERE conversation = @conversation AND message = @message`);
  const updateAudience = db.prepare(
    "UPDATE answers SET audience = ? WHERE conversation = ? AND message = ? AND audience IS NULL",
  );
  const selectSaid = db.prepare<[string], { readonly id: MessageId; readonly citations: string }>(`
    SELECT id, words -> '$.citations' AS citations FROM messages
    WHERE id IN (SELECT value FROM json_each(?)) AND words ->> '$.kind' = 'answer'
      AND words -> '$.citations' IS NOT NULL`);
  const show = db.prepare(
    "UPDATE messages SET words = json_set(words, '$.citations', json(?)) WHERE id = ? AND conversation = ?",
  );

  const inWords = ({ conversation, citations: found }: CheckedAnswer, said: string): void => {
    const now = new Map(found.map((cited) => [placeOf(cited), cited]));
    for (const { id, citations: kept } of selectSaid.all(said)) {
      const before = read(cites, kept, { table: "messages" });
      if (before === null) continue;
      const after = encode(before.map((cited) => now.get(placeOf(cited)) ?? cited));
      if (after !== encode(before)) show.run(after, id, conversation);
    }
  };

  const look = (found: CheckedAnswer): boolean => {
    const { conversation, message, looked, isQuiet } = found;
    const kept = selectKept.get(conversation, message);
    if (kept === undefined) return false;
    const text = encode(found.citations);
    update.run({
      conversation,
      message,
      citations: text,
      standing: freshnessOf(found.citations),
      looked: encode(looked),
    });
    if (text === kept.citations) return false;
    inWords(found, kept.said);
    if (!isQuiet) showAnew.with(conversation, [message]);
    return !isQuiet;
  };

  return {
    answer: ({ conversation, message }) => read(row, select.get(conversation, message), FROM),
    answersInPublic: (since, most) => selectPublic.all(since, most),
    answersPage: (since, after, most) => {
      const { at, conversation, message } = after ?? FIRST_PAGE;
      return read.all(row, selectPage.iterate(since, at, conversation, message), FROM, most);
    },
    answersUnplaced: (since) => read.all(row, selectUnplaced.all(since), FROM),
    setAudience: doing(({ conversation, message }, audience) =>
      updateAudience.run(audience, conversation, message),
    ),
    setLooked: writing((found) => ({
      kind: "done" as const,
      shown: found.flatMap(({ conversation, message, ...rest }): readonly AnswerId[] =>
        look({ conversation, message, ...rest }) ? [{ conversation, message }] : [],
      ),
    })),
  };
};

const FROM = { table: "answers" };
const FIRST_PAGE = { at: Number.MAX_SAFE_INTEGER, conversation: "", message: "" };

const placeOf = ({ path, from, to, quote }: z.output<typeof citationSchema>): string =>
  `${path}:${from}-${to} ${quote ?? ""}`;

export const createAnswered = (db: Database) => {
  /* After a retry, the answer belongs to the last message before it. */
  const insert = db.prepare(`
    INSERT INTO answers (conversation, message, turn, question, said, at, cost, citations)
    SELECT @conversation, @message, @turn, asked.id, @said, @at, @cost,
      (SELECT json_group_array(json(cited.value)) FROM json_each(@said) AS response
        JOIN messages ON messages.id = response.value, json_each(messages.words, '$.citations') AS cited)
    FROM messages AS asked
    WHERE asked.conversation = @conversation AND asked.position >= 0 AND asked.kind = 'said'
    ORDER BY asked.position DESC LIMIT 1
    ON CONFLICT DO NOTHING`);

  return {
    insert: (answered: NonNullable<StepRows["answered"]>): void => void insert.run({ ...answered }),
  };
};
