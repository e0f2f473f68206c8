/** Messages for conversations: each is claimed once by its id, and closed by its outcome (D20). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId, Millis } from "../../machine/id.ts";
import type { Refusal } from "../../machine/refusal.ts";
import type { Claim, ClaimKey, ClaimOutcome } from "../../ports/claims.ts";
import type { ClaimRow, VersionRow } from "../../ports/erasure.ts";
import type { Tables } from "../../ports/tables.ts";
import { encode, json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { claimBodySchema, claimOutcomeSchema } from "../schema/conversation.ts";
import { conversationIdSchema, messageIdSchema } from "../schema/id.ts";
import { createTable } from "../base/table.ts";
import { claimBodyOf } from "./step-rows.ts";

const KEY = ["surface", "id"];

const row = z.object({
  surface: z.string(),
  id: z.string(),
  conversation: conversationIdSchema,
  at: z.number(),
  body: json(claimBodySchema),
});

const kept = row.extend({ message: messageIdSchema.nullable() });

const settled = z.object({ outcome: json(claimOutcomeSchema).nullable() });

export const claimRows: Tables = {
  tables: {
    claims: {
      both: ["body"],
      conversation: ["arrival", "surface", "id", "conversation", "at", "outcome", "settled_at", "message"],
    },
  },
  files: { claims: "body" },
  erase: {
    person: {
      kind: "step",
      // Ensures that no *Stop and send* sends erased words.
      sql: [
        `UPDATE claims SET body = erased.value ->> '$.body' FROM json_each(@erased, '$.claims') AS erased
          WHERE claims.surface = erased.value ->> '$.surface' AND claims.id = erased.value ->> '$.id'`,
      ],
    },
    conversation: {
      kind: "pieces",
      sql: [
        "DELETE FROM claims WHERE rowid IN (SELECT rowid FROM claims WHERE conversation = @id LIMIT @limit)",
      ],
    },
  },
};

export const createClaims = (db: Database, read: Read) => {
  const insert = db.prepare(`
    INSERT INTO claims (arrival, surface, id, conversation, at, body)
    VALUES (numbered((SELECT max(arrival) FROM claims)), @surface, @id, @conversation, @at, @body)
    ON CONFLICT (surface, id) DO NOTHING`);
  const table = createTable(db, read);
  const claims = table("claims", KEY, row);
  const selectOutcome = table("claims", KEY, settled).one();
  const close = db.prepare(`
    UPDATE claims SET outcome = @outcome, settled_at = @at, message = @message
    WHERE surface = @surface AND id = @id
      AND (outcome IS NULL OR (outcome ->> 'kind' = 'refused' AND @outcome ->> 'kind' = 'accepted'))`);
  const selectClaim = claims.one();
  const selectOpen = claims.all("WHERE outcome IS NULL ORDER BY arrival");
  const selectOf = table("claims", KEY, kept).all("WHERE conversation = ? ORDER BY arrival");
  const selectVersions = table("claims", KEY, kept.extend(settled.shape)).all(
    "WHERE surface = ? AND (id = ? OR id BETWEEN ? AND ?) ORDER BY arrival",
  );
  const reword = db.prepare("UPDATE claims SET body = @body WHERE surface = @surface AND id = @id");
  const source = createColumnReader(db).one<[ConversationId, MessageId], string>(
    "SELECT body ->> 'source' FROM claims WHERE conversation = ? AND message = ?",
  );

  const outcome = ({ surface, id }: ClaimKey): ClaimOutcome | null =>
    selectOutcome(surface, id)?.outcome ?? null;

  const selectMessage = createColumnReader(db).one<[string, string], MessageId>(
    "SELECT message FROM claims WHERE surface = ? AND id = ?",
  );
  const reopen = db.prepare<unknown[], ClaimKey>(`
    UPDATE claims SET outcome = @outcome, settled_at = @at, message = NULL
    WHERE conversation = @conversation AND message = @message RETURNING surface, id`);

  return {
    /** Returns false if the key is known. */
    insert: (claim: Claim): boolean => insert.run({ ...claim, body: claimBodyOf(claim) }).changes === 1,

    outcome,

    refused(key: ClaimKey): Claim | null {
      if (outcome(key)?.kind !== "refused") return null;
      const found = selectClaim(key.surface, key.id);
      return found === null || isEmpty(found.body) ? null : claimOf(found);
    },

    /** Returns false if the claim is closed. Only *Stop and send* changes an outcome, once: from refused to accepted (D7). */
    close: (
      { surface, id }: ClaimKey,
      outcome: ClaimOutcome,
      at: Millis,
      message: MessageId | null = null,
    ): boolean => close.run({ surface, id, outcome: encode(outcome), at, message }).changes === 1,

    /** Refuses a message that waited and could not start. Returns the key of its claim; null if there is no claim. */
    refuseWaiting: (
      conversation: ConversationId,
      { message, why }: { readonly message: MessageId; readonly why: Refusal },
      at: Millis,
    ): ClaimKey | null =>
      reopen.get({ conversation, message, at, outcome: encode({ kind: "refused", why }) }) ?? null,

    message: ({ surface, id }: ClaimKey): MessageId | null => selectMessage(surface, id),

    source,

    of: (conversation: ConversationId): readonly ClaimRow[] =>
      selectOf(conversation).map(({ message, ...claim }) => ({ claim: claimOf(claim), message })),

    versions: ({ surface, id }: ClaimKey): readonly VersionRow[] =>
      selectVersions(surface, id, `${id}/`, `${id}/\u{10ffff}`).map(
        ({ message, outcome: closed, ...claim }) => ({
          claim: claimOf(claim),
          message,
          outcome: closed,
        }),
      ),

    reword: (claim: Claim): void => void reword.run({ ...claim, body: claimBodyOf(claim) }),

    /** In order of arrival. */
    open: (): readonly Claim[] => selectOpen().map(claimOf),
  };
};

const claimOf = ({ body, ...rest }: z.output<typeof row>): Claim => ({ ...rest, ...body });

/** A claim whose words were erased: no real message is empty. */
const isEmpty = ({ text, images }: Pick<Claim, "text" | "images">): boolean =>
  text === "" && images.length === 0;
