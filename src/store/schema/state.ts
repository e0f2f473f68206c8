/** The state of a conversation as it comes from disk. */

import * as z from "zod";
import type { Category } from "../../core/words.ts";
import { conversationId, effectId, messageId, personId, questionId } from "./id.ts";
import { note } from "./transcript.ts";
import { call, calls, category, confinement, dangerAsk, failure, modeAsk, permission } from "./words.ts";
import { speaker, upgradeAsk, usage, utterance } from "./words.ts";

/** Grants live in memory only: whatever a row claims, none are read (C27). */
const noGrants = z
  .unknown()
  .optional()
  .transform((): readonly Category[] => []);

const notes = z.array(note).readonly();

const asked = {
  id: questionId,
  askedAt: z.number(),
  message: messageId,
  first: z.number().exactOptional(),
};

const question = z.discriminatedUnion("kind", [
  upgradeAsk.extend(asked),
  dangerAsk.extend(asked),
  modeAsk.extend(asked),
]);

const phase = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("idle") }),
  z.object({
    kind: z.literal("thinking"),
    request: effectId,
    attempt: z.number(),
    wait: z.object({ for: effectId, delay: z.number(), failure }).nullable(),
    parts: z.number(),
  }),
  z.object({
    kind: z.literal("running"),
    effect: effectId,
    message: messageId,
    call,
    rest: calls,
    notes,
  }),
  z.object({
    kind: z.literal("awaitingApproval"),
    question,
    call,
    rest: calls,
    notes,
  }),
  z.object({
    kind: z.literal("stopping"),
    effect: effectId,
    message: messageId,
    wait: z.object({ for: effectId, delay: z.number() }),
    call,
    rest: calls,
    notes,
    by: personId,
    then: utterance.nullable(),
  }),
  z.object({ kind: z.literal("failed"), failure }),
]);

export const phaseKind = z.enum(["idle", "thinking", "running", "awaitingApproval", "stopping", "failed"]);

export const state = z.object({
  id: conversationId,
  kind: z.enum(["thread", "subagent"]),
  parent: conversationId.nullable(),
  permission,
  confinement,
  mode: z.string(),
  safeMode: z.boolean(),
  grants: noGrants,
  model: z.string(),
  context: z.object({ used: z.number(), window: z.number(), warned: z.boolean() }),
  usage,
  background: z.boolean(),
  denials: z.array(z.number()).readonly(),
  branches: z.array(z.object({ effect: effectId, mode: z.string(), by: personId })).readonly(),
  seq: z.number(),
  turn: z.object({
    no: z.number(),
    speaker: speaker.nullable(),
    begun: z.number(),
    rounds: z.number(),
    denied: z.array(z.union([z.enum(["upgrade", "mode"]), category])).readonly(),
    usage,
    end: z
      .object({ at: z.number(), why: z.enum(["answered", "stopped", "interrupted", "failed"]) })
      .nullable(),
  }),
  phase,
});
