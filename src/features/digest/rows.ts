import * as z from "zod";
import type { Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead, flag, json } from "../../store/base/codec.ts";
import { repoSchema } from "../../store/schema/conversation.ts";
import { conversationIdSchema, listSchema, messageIdSchema, personIdSchema } from "../../store/schema/id.ts";
import { wordsSchema } from "../../store/schema/prompt.ts";
import { DELIVERY_PLACE } from "../../store/tables/deliveries.ts";
import type { DigestTurn, DigestRows, TurnSelection, TurnPage } from "./ports.ts";

/** Small enough not to block the event loop noticeably. */
const PAGE = 50;

const channelRow = z.object({
  surface: z.string(),
  place: z.string(),
  server: z.string().nullable(),
  told: z.string(),
  by: personIdSchema,
  at: z.number(),
});

const turnRow = z
  .object({
    at: z.number(),
    surface: z.string(),
    place: z.string().nullable(),
    root: z.string().nullable(),
    repo: json(repoSchema),
    asker: personIdSchema,
    asked: json(wordsSchema).nullable(),
    conversation: conversationIdSchema,
    message: messageIdSchema.nullable(),
    cost: z.number(),
    cited: json(listSchema(z.string())),
    isStale: flag,
    isJudged: flag,
  })
  .transform(
    ({ at, surface, place, root, repo: of, asker, asked, message, ...answer }): DigestTurn => ({
      at,
      asker,
      thread: place === null || root === null ? null : { surface, place, root },
      repo: of,
      question: asked?.kind === "said" ? asked.text.slice(asked.own?.said ?? 0) : null,
      answer: message === null ? null : { ...answer, message },
    }),
  );

const WHERE_ASKED = `conversations.surface, ${DELIVERY_PLACE} AS place, threads.root, conversations.repo, asked.words AS asked,
  asked.entry ->> '$.speaker.id' AS asker`;
/** Excludes questions of watches, which no person asked. */
const BY_PEOPLE = "conversations.removed = 0 AND asked.entry ->> '$.speaker.id' NOT LIKE 'watch:%'";
/** Must match the index. */
const WITHOUT_ANSWER = "'failed', 'interrupted', 'empty', 'refused'";

export const createDigestRows = (rows: Rows, log: Log): DigestRows => {
  const read = createRead(log);
  const selectChannels = rows.select(
    "SELECT surface, place, server, told, set_by AS by, at FROM digests ORDER BY surface, place",
  );
  const selectAnswered = rows.select(`
    SELECT page.at, page.message AS id, ${WHERE_ASKED}, page.conversation, page.message, page.cost,
      page.standing = 'changed' AS isStale,
      EXISTS (SELECT 1 FROM votes WHERE votes.conversation = page.conversation AND votes.answer = page.message)
        OR EXISTS (SELECT 1 FROM solved WHERE solved.conversation = page.conversation) AS isJudged,
      (SELECT json_group_array(DISTINCT coalesce(value ->> '$.file', value ->> '$.path'))
        FROM json_each(page.citations) WHERE value ->> '$.status' <> 'missing') AS cited,
      ${BY_PEOPLE} AND (@surface IS NULL OR conversations.surface = @surface AND (
        ${DELIVERY_PLACE} = @place AND (page.audience = 'public' OR @isClosed)
        OR @others AND page.audience = 'public' AND threads.server IS @server)) AS reached
    FROM (
        SELECT * FROM answers
        WHERE at >= @from AND at < @to AND (at, conversation, message) > (@after, @conversation, @id)
        ORDER BY at, conversation, message LIMIT ${PAGE}
      ) AS page
      JOIN conversations ON conversations.id = page.conversation
      JOIN messages AS asked ON asked.id = page.question
      LEFT JOIN threads ON threads.conversation = page.conversation
    ORDER BY page.at, page.conversation, page.message`);
  /* Skips a turn that a later try answered, or failed again: the last outcome counts. */
  const selectUnanswered = rows.select(`
    SELECT page.at, page.id, ${WHERE_ASKED}, page.conversation, NULL AS message, 0 AS cost, 0 AS isStale, 0 AS isJudged, '[]' AS cited,
      conversations.parent IS NULL AND ${BY_PEOPLE}
        AND (@surface IS NULL OR conversations.surface = @surface AND (
          ${DELIVERY_PLACE} = @place OR @others AND threads.server IS @server))
        AND NOT EXISTS (SELECT 1 FROM messages AS later WHERE later.conversation = page.conversation
          AND later.position > page.position AND later.turn = page.turn
          AND (later.kind = 'notice' AND later.entry ->> '$.notice.kind' IN (${WITHOUT_ANSWER})
            OR later.kind = 'answer' AND later.entry ->> '$.text' > 0))
        AND NOT EXISTS (SELECT 1 FROM answers
          WHERE answers.conversation = page.conversation AND answers.turn = page.turn) AS reached
    FROM (
        SELECT entry ->> '$.at' AS at, id, conversation, turn, position FROM messages
        WHERE kind = 'notice' AND json_valid(entry) AND entry ->> '$.notice.kind' IN (${WITHOUT_ANSWER})
          AND entry ->> '$.at' >= @from AND entry ->> '$.at' < @to AND (entry ->> '$.at', id) > (@after, @id)
        ORDER BY entry ->> '$.at', id LIMIT ${PAGE}
      ) AS page
      JOIN conversations ON conversations.id = page.conversation
      JOIN messages AS asked ON asked.id = (
        SELECT id FROM messages AS before WHERE before.conversation = page.conversation
          AND before.position >= 0 AND before.position < page.position AND before.kind = 'said'
        ORDER BY before.position DESC LIMIT 1)
      LEFT JOIN threads ON threads.conversation = page.conversation
    ORDER BY page.at, page.id`);

  const page = (select: typeof selectAnswered, reach: TurnSelection, from: string | null): TurnPage => {
    const { channel, others, isClosed } = reach;
    const [after = "-1", conversation = "", id = ""] = (from ?? "-1").split(" ");
    const found = foundRows.parse(
      select({
        from: Math.max(reach.from, Number(after)),
        to: reach.to,
        after: Number(after),
        conversation,
        id,
        surface: channel?.surface ?? null,
        place: channel?.place ?? null,
        server: channel?.server ?? null,
        others: Number(others),
        isClosed: Number(isClosed),
      }),
    );
    const last = found.at(-1);
    return {
      turns: read.all(
        turnRow,
        found.filter(({ reached }) => reached === 1),
        { table: "messages" },
      ),
      next: found.length < PAGE || last === undefined ? null : `${last.at} ${last.conversation} ${last.id}`,
    };
  };

  return {
    digests: () => read.all(channelRow, selectChannels({}), { table: "digests" }),
    putDigest: ({ surface, place, server, told, by, at }) =>
      rows.write([{ sql: PUT, values: { surface, place, server, told, by, at } }]),
    dropDigest: (surface, place) => rows.write([{ sql: DROP, values: { surface, place } }]),
    answeredTurns: (reach, from) => page(selectAnswered, reach, from),
    unansweredTurns: (reach, from) => page(selectUnanswered, reach, from),
  };
};

const PUT = `
  INSERT INTO digests (surface, place, server, told, set_by, at) VALUES (@surface, @place, @server, @told, @by, @at)
  ON CONFLICT (surface, place) DO UPDATE SET server = excluded.server, told = excluded.told, set_by = excluded.set_by,
    at = excluded.at`;
const DROP = "DELETE FROM digests WHERE surface = @surface AND place = @place";

const foundRows = z.array(
  z.looseObject({ at: z.number(), conversation: z.string(), id: z.string(), reached: z.number().nullable() }),
);
