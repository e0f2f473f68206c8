/** Accepted events and what they caused, as the trace holds them. */

import * as z from "zod";
import { agentEnd, gathered } from "./agent.ts";
import { conversationId, effectId, messageId, personId, questionId } from "./id.ts";
import {
  approved,
  call,
  calls,
  carriage,
  categories,
  choice,
  confinement,
  failure,
  permission,
  putBack,
  seed,
  setUp,
  speaker,
  stop,
  stopCause,
  usage,
  utterance,
  write,
  wrote,
} from "./words.ts";

const at = { at: z.number() };
const reached = z.array(z.object({ host: z.string(), port: z.number(), allowed: z.boolean() })).readonly();

export const event = z.discriminatedUnion("kind", [
  z.object({ ...at, kind: z.literal("drained"), agents: gathered.exactOptional() }),
  z.object({
    ...at,
    kind: z.literal("woken"),
    boot: z.string(),
    confinement,
    window: z.number(),
    agents: gathered.exactOptional(),
  }),
  z.object({ ...at, kind: z.literal("agentReported"), by: effectId, agent: z.number(), end: agentEnd }),
  z.object({ ...at, kind: z.literal("hurried") }),
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
    reached: reached.default([]),
    skipped: categories.exactOptional(),
    files: z.number().exactOptional(),
    wrote: wrote.exactOptional(),
  }),
  z.object({
    ...at,
    kind: z.literal("proposed"),
    by: effectId,
    write,
    shown: messageId,
    fingerprint: z.string(),
  }),
  z.object({ ...at, kind: z.literal("reached"), reached }),
  z.object({ ...at, kind: z.literal("setUp"), setUp }),
  z.object({ ...at, kind: z.literal("putBack"), putBack }),
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
  z.object({ ...at, kind: z.literal("continued"), by: speaker }),
  z.object({
    ...at,
    kind: z.literal("summarized"),
    by: effectId,
    message: messageId,
    text: z.number(),
    usage,
  }),
  z.object({ ...at, kind: z.literal("moved"), seed: z.enum(["summary", "empty"]), by: speaker }),
  z.object({
    ...at,
    kind: z.literal("branched"),
    by: effectId,
    conversation: conversationId.nullable(),
    link: z.string().exactOptional(),
    why: z.string().exactOptional(),
    carried: carriage.exactOptional(),
  }),
  z.object({
    ...at,
    kind: z.literal("stopped"),
    by: personId,
    then: utterance.nullable(),
    why: stopCause.exactOptional(),
  }),
  z.object({ ...at, kind: z.literal("erased"), by: personId, messages: z.array(messageId).readonly() }),
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
    approved: approved.exactOptional(),
    again: z.literal(true).exactOptional(),
  }),
  z.object({
    kind: z.literal("branch"),
    id: effectId,
    mode: z.string(),
    by: personId,
    seed: seed.exactOptional(),
  }),
  z.object({ kind: z.literal("summarize"), id: effectId, rejected: calls }),
  z.object({ kind: z.literal("kill"), target: effectId }),
  z.object({
    kind: z.literal("spawn"),
    id: effectId,
    call,
    agents: z.array(z.object({ id: conversationId, model: z.string() })).readonly(),
  }),
  z.object({ kind: z.literal("hurryAgents"), target: effectId }),
  z.object({ kind: z.literal("endAgents"), target: effectId }),
  z.object({ kind: z.literal("killBackground") }),
]);

export const effects = z.array(effect).readonly();

export const labels = z.array(z.string()).readonly();
