/** No statement writes words of a post, except the example that a person's click stores. */

import * as z from "zod";
import type { Log } from "../../../ports/host.ts";
import type { Rows } from "../../../ports/rows.ts";
import { DAY } from "../../../machine/id.ts";
import { createRead } from "../../../store/base/codec.ts";
import { conversationIdSchema, personIdSchema } from "../../../store/schema/id.ts";
import {
  LOOK_DECISIONS,
  type LookDecision,
  type LookRows,
  MOST_CORRECTIONS,
  MOST_LISTED,
} from "./first-looks.ts";

const lookRow = z
  .object({
    watch: z.string(),
    surface: z.string(),
    place: z.string(),
    post: z.string(),
    at: z.number(),
    decision: z.enum(LOOK_DECISIONS),
    link: z.string().nullable(),
    reason: z.string(),
    cost: z.number(),
    author: personIdSchema.nullable(),
    conversation: conversationIdSchema.nullable(),
  })
  .transform(({ decision, link, ...look }) => ({ ...look, decision: decisionOf(decision, link) }));

const decisionOf = (kind: LookDecision["kind"], link: string | null): LookDecision =>
  kind === "duplicate" ? { kind, link: link ?? "" } : { kind };

const correctionRow = z.object({
  id: z.string(),
  watch: z.string(),
  surface: z.string(),
  place: z.string(),
  post: z.string(),
  decided: z.enum(LOOK_DECISIONS),
  correct: z.enum(LOOK_DECISIONS),
  text: z.string(),
  author: personIdSchema.nullable(),
  by: personIdSchema,
  at: z.number(),
});

/** Begin of the ids of looks without a decision. No platform has such ids of posts. */
const ABORTED = "aborted/";

const LOOKS =
  "SELECT watch, surface, place, post, at, decision, link, reason, cost, author, conversation FROM first_looks";

const OF_POST = "surface = @surface AND place = @place AND post = @post";

export const createLookRows = (rows: Rows, log: Log): LookRows => {
  const read = createRead(log);
  const selectOne = rows.select(`${LOOKS} WHERE watch = @watch AND place = @place AND post = @post`);
  const selectLately = rows.select(
    `${LOOKS} WHERE watch = @watch AND post NOT LIKE '${ABORTED}%' ORDER BY at DESC, place, post LIMIT @most`,
  );
  const selectSince = rows.select(`${LOOKS} WHERE watch = @watch AND at > @since ORDER BY at`);
  const selectCorrections = rows.select(
    `SELECT id, watch, surface, place, post, decided, correct, text, author, set_by AS "by", at
      FROM look_corrections WHERE watch = @watch ORDER BY at DESC, id LIMIT ${MOST_CORRECTIONS}`,
  );
  const selectExample = rows.select(`SELECT id FROM look_corrections WHERE ${OF_POST} LIMIT 1`);
  const selectIgnored = rows.select(
    "SELECT ended FROM ignored_people WHERE surface = @surface AND person = @person",
  );
  const selectPlaces = rows.select("SELECT place FROM watch_places WHERE watch = @watch ORDER BY place");
  const optOut = (surface: string, person: string) =>
    ignoredRows.parse(selectIgnored({ surface, person })).at(0);
  const looks = (found: readonly unknown[]) => read.all(lookRow, found, { table: "first_looks" });

  return {
    find: (watch, place, post) => looks(selectOne({ watch, place, post })).at(0) ?? null,
    lately: (watch, most) => looks(selectLately({ watch, most })),
    since: (watch, since) => looks(selectSince({ watch, since })),
    put: ({ decision, ...look }) =>
      rows.write([
        {
          sql: PUT_LOOK,
          values: {
            ...look,
            decision: decision.kind,
            link: decision.kind === "duplicate" ? decision.link : null,
          },
        },
        { sql: UNNAME, values: { watch: look.watch, before: look.at - DAY } },
      ]),
    putAborted: ({ post, ...look }) => {
      const values = { ...look, post: `${ABORTED}${look.at}/${post}`, decision: "nothing", link: null };
      return rows.write([
        {
          sql: PUT_LOOK,
          values: { ...values, reason: "The host stopped during the look.", conversation: null },
        },
      ]);
    },
    begun: ({ watch, place, post }, conversation) =>
      rows.write([{ sql: BEGUN, values: { watch, place, post, conversation } }]),
    corrections: (watch) =>
      read.all(correctionRow, selectCorrections({ watch }), { table: "look_corrections" }),
    correct: ({ by, ...correction }) =>
      rows.write([
        { sql: CORRECT, values: { ...correction, by } },
        { sql: OLDEST, values: { watch: correction.watch } },
      ]),
    uncorrect: (id) => rows.write([{ sql: "DELETE FROM look_corrections WHERE id = @id", values: { id } }]),
    isExample: (surface, place, post) => selectExample({ surface, place, post }).length > 0,
    forgetPost: (surface, place, post) =>
      rows.write([
        { sql: `DELETE FROM look_corrections WHERE ${OF_POST}`, values: { surface, place, post } },
      ]),
    places: (watch) => placeRows.parse(selectPlaces({ watch })),
    addPlace: (watch, surface, place, at) =>
      rows.write([{ sql: ADD_PLACE, values: { watch, surface, place, at } }]),
    isIgnored: (surface, person) => optOut(surface, person)?.ended === null,
    cameBack: (surface, person) => optOut(surface, person)?.ended ?? null,
    ignore: (surface, person, at) =>
      rows.write([
        { sql: IGNORE, values: { surface, person, at } },
        { sql: "DELETE FROM look_corrections WHERE author = @person", values: { person } },
      ]),
    endIgnoring: (surface, person, at) => rows.write([{ sql: END, values: { surface, person, at } }]),
  };
};

const placeRows = z.array(z.object({ place: z.string() }).transform(({ place }) => place));

const ignoredRows = z.array(z.object({ ended: z.number().nullable() }));

const PUT_LOOK = `
  INSERT INTO first_looks (watch, surface, place, post, at, decision, link, reason, cost, author, conversation)
  VALUES (@watch, @surface, @place, @post, @at, @decision, @link, @reason, @cost, @author, @conversation)
  ON CONFLICT (watch, place, post) DO NOTHING`;
/** A listed look keeps its author, because a correction must know whether the author is ignored or was erased. */
const UNNAME = `UPDATE first_looks SET author = NULL
  WHERE watch = @watch AND at <= @before AND author IS NOT NULL AND at < (
    SELECT min(at) FROM (SELECT at FROM first_looks WHERE watch = @watch ORDER BY at DESC LIMIT ${MOST_LISTED}))`;
const BEGUN = `UPDATE first_looks SET conversation = @conversation
  WHERE watch = @watch AND place = @place AND post = @post`;
const CORRECT = `
  INSERT INTO look_corrections (id, watch, surface, place, post, decided, correct, text, author, set_by, at)
  VALUES (@id, @watch, @surface, @place, @post, @decided, @correct, @text, @author, @by, @at)
  ON CONFLICT (id) DO NOTHING`;
const OLDEST = `
  DELETE FROM look_corrections WHERE watch = @watch AND id NOT IN (
    SELECT id FROM look_corrections WHERE watch = @watch ORDER BY at DESC, id LIMIT ${MOST_CORRECTIONS})`;
const ADD_PLACE = `INSERT INTO watch_places (watch, surface, place, at) VALUES (@watch, @surface, @place, @at)
  ON CONFLICT (watch, surface, place) DO NOTHING`;
const IGNORE = `INSERT INTO ignored_people (surface, person, at) VALUES (@surface, @person, @at)
  ON CONFLICT (surface, person) DO UPDATE SET at = excluded.at, ended = NULL`;
/** Posts from before the end stay unread, also if they arrive later. */
const END = `UPDATE ignored_people SET ended = @at
  WHERE surface = @surface AND person = @person AND ended IS NULL`;
