/** Replies that people are owed for what was not taken (D7): one row for each person in each thread. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Millis } from "../../machine/id.ts";
import { REFUSALS, type Refusal } from "../../machine/refusal.ts";
import type { ClaimKey } from "../../ports/claims.ts";
import type { Owed, OwedRows, Standing, Why } from "../../ports/replies.ts";
import type { Addressee } from "../../ports/surface.ts";
import { encode, json, type Read } from "../codec.ts";
import type { Direct } from "../write/direct.ts";
import { conversationId, kind } from "../schema/id.ts";
import { doing } from "../write/write.ts";

const why: z.ZodType<Why> = z.discriminatedUnion("kind", [
  kind("refused", { conversation: conversationId, claim: z.string(), why: z.enum(REFUSALS) }),
  kind("said", { text: z.string() }),
]);
const owed: z.ZodType<Owed> = z.object({ key: z.string(), why: json(why), stands: z.string().nullable() });

const REPLACE = `
  ON CONFLICT (surface, place, root, person) DO UPDATE SET
    key = excluded.key, why = excluded.why, at = excluded.at, conversation = excluded.conversation
  WHERE key <> excluded.key`;
const WHOSE = "surface = @surface AND place = @place AND root = @root AND person = @person";

export const createReplies = (db: Database, read: Read): Direct<OwedRows> => {
  const insert = db.prepare(`
    INSERT INTO replies (surface, place, root, person, key, why, at)
    VALUES (@surface, @place, @root, @person, @key, @why, @at) ${REPLACE}`);
  const selectAll = db.prepare<[string], Addressee>(
    "SELECT place, nullif(root, '') AS root, person FROM replies WHERE surface = ? AND why IS NOT NULL ORDER BY at",
  );
  const select = db.prepare(`SELECT key, why, stands FROM replies WHERE ${WHOSE} AND why IS NOT NULL`);
  const tell = db.prepare(`
    UPDATE replies SET stands = @stands, why = CASE WHEN key = @key THEN NULL ELSE why END WHERE ${WHOSE}`);

  const selectStanding = db.prepare<[string], Standing>(`
    SELECT place, nullif(root, '') AS root, person, key, stands, conversation, at FROM replies
    WHERE surface = ? AND why IS NULL AND stands IS NOT NULL AND conversation IS NOT NULL`);

  return {
    standing: (surface) => selectStanding.all(surface),
    owe: doing((surface, to, { key, text, at }) =>
      insert.run({ ...whose(surface, to), key, why: encode({ kind: "said", text }), at }),
    ),
    owed: (surface) => selectAll.all(surface),
    owedTo: (surface, to) => read(owed, select.get(whose(surface, to)), { table: "replies" }),
    told: doing((surface, to, key, stands) => tell.run({ ...whose(surface, to), key, stands })),
  };
};

/** Part of the transaction that refuses a claim. Nobody is owed one where the claim came from no chat platform. */
export const createOweRefusal = (db: Database) => {
  const insert = db.prepare(`
    INSERT INTO replies (surface, place, root, person, key, why, at, conversation)
    SELECT claims.surface, replace(place, '/' || claims.conversation, ''),
      CASE WHEN body ->> '$.source' = root AND place <> root THEN '' ELSE root END,
      substr(body ->> '$.speaker.id', length(claims.surface) + 2), 'refusal/' || id,
      json_object('kind', 'refused', 'conversation', claims.conversation, 'claim', id, 'why', @why), @at,
      iif(@why = 'agent_busy', claims.conversation, NULL)
    FROM claims JOIN threads ON threads.conversation = claims.conversation AND threads.surface = claims.surface
    WHERE claims.surface = @surface AND id = @id ${REPLACE}`);
  return ({ surface, id }: ClaimKey, reason: Refusal, at: Millis): void =>
    void insert.run({ surface, id, why: reason, at });
};

const whose = (surface: string, { place, root, person }: Addressee) => ({
  surface,
  place,
  root: root ?? "",
  person,
});
