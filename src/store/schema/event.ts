/** Accepted events and what they caused, as the trace holds them. */

import * as z from "zod";
import { conversationId, effectId, messageId, personId, questionId } from "./id.ts";
import { call, calls, categories, choice, confinement, failure, permission, speaker } from "./words.ts";
import { stop, usage, utterance } from "./words.ts";

const at = { at: z.number() };

export const event = z.discriminatedUnion("kind", [
  z.object({ ...at, kind: z.literal("drained") }),
  z.object({ ...at, kind: z.literal("woken"), boot: z.string(), confinement, window: z.number() }),
  z.object({ ...at, kind: z.literal("said"), ...utterance.shape }),
  z.object({ ...at, kind: z.literal("retried"), speaker }),
  z.object({
    ...at,
    kind: z.literal("answered"),
    by: effectId,
    message: messageId,
    text: z.number(),
    calls,
    stop,
    usage,
  }),
  z.object({ ...at, kind: z.literal("modelFailed"), by: effectId, failure }),
  z.object({
    ...at,
    kind: z.literal("ran"),
    by: effectId,
    message: messageId,
    isError: z.boolean(),
    background: z.boolean(),
    /* Absent in the rows of the first days. */
    reached: z
      .array(z.object({ host: z.string(), port: z.number(), allowed: z.boolean() }))
      .readonly()
      .default([]),
    skipped: categories.exactOptional(),
  }),
  z.object({
    ...at,
    kind: z.literal("blocked"),
    by: effectId,
    categories,
    shown: messageId,
    fingerprint: z.string(),
  }),
  z.object({
    ...at,
    kind: z.literal("decided"),
    question: questionId,
    choice,
    by: speaker,
    comment: messageId.nullable(),
    prompt: messageId.exactOptional(),
  }),
  z.object({ ...at, kind: z.literal("reasked"), question: questionId, by: personId }),
  z.object({ ...at, kind: z.literal("modeSet"), mode: z.string(), by: personId, prompt: messageId }),
  z.object({ ...at, kind: z.literal("safeModeSet"), on: z.boolean(), by: speaker }),
  z.object({ ...at, kind: z.literal("granted"), categories, by: speaker }),
  z.object({ ...at, kind: z.literal("branched"), by: effectId, conversation: conversationId.nullable() }),
  z.object({ ...at, kind: z.literal("stopped"), by: personId, then: utterance.nullable() }),
  z.object({ ...at, kind: z.literal("restricted"), by: personId }),
  z.object({ ...at, kind: z.literal("due"), for: effectId }),
]);

/** Grants of a `run` are kept: they are evidence for replay (L12), and no stored effect of the trace is performed. */
export const effect = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("think"), id: effectId, attempt: z.number() }),
  z.object({ kind: z.literal("abortThinking"), target: effectId }),
  z.object({
    kind: z.literal("run"),
    id: effectId,
    call,
    permission,
    grants: categories,
    fingerprint: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal("branch"), id: effectId, mode: z.string(), by: personId }),
  z.object({ kind: z.literal("kill"), target: effectId }),
  z.object({ kind: z.literal("killBackground") }),
]);

export const effects = z.array(effect).readonly();

export const labels = z.array(z.string()).readonly();
