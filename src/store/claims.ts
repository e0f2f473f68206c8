/** The inbox: every message that reached the host, stored before it is acknowledged and closed once (D20). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Millis } from "../core/id.ts";
import type { Claim, ClaimKey, ClaimOutcome } from "../runtime/ports.ts";
import { encode, json, type Read } from "./codec.ts";
import { claimBody, claimOutcome } from "./schema/conversation.ts";
import { conversationId } from "./schema/id.ts";

const claimed = z
  .object({
    surface: z.string(),
    id: z.string(),
    conversation: conversationId,
    at: z.number(),
    body: json(claimBody),
  })
  .transform(({ body, ...row }): Claim => ({ ...row, ...body }));

const settled = z.object({ outcome: json(claimOutcome).nullable() });

export const createClaims = (db: Database, read: Read) => {
  const insert = db.prepare(`
    INSERT INTO claims (surface, id, conversation, at, body) VALUES (@surface, @id, @conversation, @at, @body)
    ON CONFLICT (surface, id) DO NOTHING`);
  const selectOutcome = db.prepare("SELECT outcome FROM claims WHERE surface = ? AND id = ?");
  const isOpen = db.prepare(`
    SELECT 1 FROM claims
    WHERE surface = ? AND id = ? AND (outcome IS NULL OR outcome ->> 'kind' = 'refused')`);
  const close = db.prepare(`
    UPDATE claims SET outcome = @outcome, settled_at = @at
    WHERE surface = @surface AND id = @id
      AND (outcome IS NULL OR (outcome ->> 'kind' = 'refused' AND @outcome ->> 'kind' = 'accepted'))`);
  const selectClosed = db.prepare(`
    SELECT surface, id, conversation, at, body FROM claims
    WHERE surface = ? AND id = ? AND outcome IS NOT NULL`);
  const selectOpen = db.prepare(
    "SELECT surface, id, conversation, at, body FROM claims WHERE outcome IS NULL ORDER BY arrival",
  );

  const outcome = ({ surface, id }: ClaimKey): ClaimOutcome | null => {
    const row = selectOutcome.get(surface, id);
    return read(settled, row, { table: "claims", surface })?.outcome ?? null;
  };

  return {
    /** False where the key is known. */
    insert({ surface, id, conversation, at, speaker, text, images }: Claim): boolean {
      const body = encode({ speaker, text, images });
      return insert.run({ surface, id, conversation, at, body }).changes === 1;
    },

    outcome,

    /** A claim that was refused, with its words. */
    refused(key: ClaimKey): Claim | null {
      const row = selectClosed.get(key.surface, key.id);
      if (row === undefined || outcome(key)?.kind !== "refused") return null;
      return read(claimed, row, { table: "claims", surface: key.surface });
    },

    /** A step may answer it: a refused one is taken after all by *Stop and send* (D7), once. */
    isOpen: ({ surface, id }: ClaimKey): boolean => isOpen.get(surface, id) !== undefined,

    /** The first outcome stands, but that what was refused may be accepted later. */
    close({ surface, id }: ClaimKey, outcome: ClaimOutcome, at: Millis): void {
      close.run({ surface, id, outcome: encode(outcome), at });
    },

    /** In the order in which they arrived. */
    open: (): readonly Claim[] =>
      selectOpen.all().flatMap((row) => read(claimed, row, { table: "claims" }) ?? []),
  };
};
