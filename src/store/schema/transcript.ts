/** Entries of the transcript as they come from disk. */

import * as z from "zod";
import { messageId, personId } from "./id.ts";
import { call, calls, failure, permission, stop, utterance } from "./words.ts";

export const note = z.enum(["upgraded", "downgraded", "continue"]);

export const decision = z.object({
  choice: z.enum(["approve", "deny"]),
  by: personId,
  at: z.number(),
  comment: messageId.nullable(),
});

export const outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ran"), message: messageId, isError: z.boolean() }),
  z.object({
    kind: z.literal("host"),
    text: z.string(),
    isError: z.boolean(),
    decision: decision.nullable(),
  }),
]);

export const notice = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stopped"), by: personId, skipped: z.number() }),
  z.object({ kind: z.literal("interrupted") }),
  z.object({ kind: z.literal("failed"), failure, attempts: z.number() }),
  z.object({ kind: z.literal("permission"), to: permission, by: personId }),
  z.object({ kind: z.literal("empty") }),
  z.object({ kind: z.literal("refused") }),
  z.object({ kind: z.literal("cut") }),
]);

const base = { turn: z.number(), seq: z.number(), at: z.number() };

export const entry = z.discriminatedUnion("kind", [
  z.object({ ...base, kind: z.literal("said"), ...utterance.shape }),
  z.object({
    ...base,
    kind: z.literal("answer"),
    message: messageId,
    text: z.number(),
    calls,
    stop,
  }),
  z.object({ ...base, kind: z.literal("result"), call, outcome }),
  z.object({ ...base, kind: z.literal("note"), note }),
  z.object({ ...base, kind: z.literal("notice"), notice }),
]);
