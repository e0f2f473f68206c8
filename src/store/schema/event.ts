/** Accepted events, as the trace holds them. */

import * as z from "zod";
import { agentEnd, gathered } from "./agent.ts";
import { conversationId, effectId, list, messageId, personId, questionId } from "./id.ts";
import {
  calls,
  carriage,
  categories,
  choice,
  confinement,
  failure,
  modelChoice,
  offer,
  putBack,
  reused,
  setUp,
  speaker,
  stop,
  stopCause,
  unseen,
  usage,
  utterance,
  write,
  wrote,
} from "./words.ts";

/** An event: its instant, its kind, and what it brings. */
const on = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) =>
  z.object({ at: z.number(), kind: z.literal(name), ...shape });
const reached = list(z.object({ host: z.string(), port: z.number(), allowed: z.boolean() }));

export const event = z.discriminatedUnion("kind", [
  on("drained", { agents: gathered.exactOptional() }),
  on("woken", {
    boot: z.string(),
    confinement,
    offer: offer.exactOptional(),
    window: z.number(),
    guarded: z.literal(true).exactOptional(),
    agents: gathered.exactOptional(),
  }),
  on("agentReported", { by: effectId, agent: z.number(), end: agentEnd }),
  on("hurried", {}),
  on("said", { ...utterance.shape, model: modelChoice.exactOptional() }),
  on("retried", { speaker, other: z.literal(true).exactOptional() }),
  on("answered", {
    by: effectId,
    message: messageId,
    text: z.number(),
    calls,
    stop,
    usage,
    model: z.string().exactOptional(),
    reused: reused.exactOptional(),
  }),
  on("modelFailed", {
    by: effectId,
    failure,
    model: z.string().exactOptional(),
    other: modelChoice.exactOptional(),
    fallback: z.literal(true).exactOptional(),
  }),
  on("ran", {
    by: effectId,
    message: messageId,
    isError: z.boolean(),
    exit: z.int().exactOptional(),
    background: z.boolean() /* Absent in the rows of the first days. */,
    reached: reached.default([]),
    skipped: categories.exactOptional(),
    files: z.number().exactOptional(),
    changed: z.literal(true).exactOptional(),
    wrote: wrote.exactOptional(),
  }),
  on("proposed", {
    by: effectId,
    write,
    scope: z.string().exactOptional(),
    shown: messageId,
    fingerprint: z.string(),
    pull: z.literal(true).exactOptional(),
    commits: z.number().exactOptional(),
  }),
  on("reached", { reached }),
  on("setUp", { setUp }),
  on("putBack", { putBack }),
  on("blocked", { by: effectId, categories, shown: messageId, fingerprint: z.string() }),
  on("decided", {
    question: questionId,
    choice,
    by: speaker,
    comment: messageId.nullable(),
    commits: z.number().exactOptional(),
    prompt: messageId.exactOptional(),
  }),
  on("unseen", { question: questionId, why: unseen, days: z.number() }),
  on("reasked", { question: questionId, by: personId }),
  on("modeSet", {
    mode: z.string(),
    by: personId,
    organisation: z.string().exactOptional(),
    reason: messageId.exactOptional(),
    prompt: messageId,
    model: modelChoice.exactOptional(),
  }),
  on("modelSet", { model: z.string(), window: z.number(), by: speaker }),
  on("safeModeSet", { on: z.boolean(), by: speaker }),
  on("askedAgain", { by: speaker }),
  on("upgradeAsked", { by: speaker, message: messageId, on: z.string().exactOptional() }),
  on("granted", { categories, by: speaker }),
  on("continued", { by: speaker }),
  on("summarized", {
    by: effectId,
    message: messageId,
    text: z.number(),
    usage,
    model: z.string().exactOptional(),
  }),
  on("moved", { seed: z.enum(["summary", "empty"]), by: speaker }),
  on("branched", {
    by: effectId,
    conversation: conversationId.nullable(),
    link: z.string().exactOptional(),
    why: z.string().exactOptional(),
    carried: carriage.exactOptional(),
  }),
  on("stopped", { by: personId, then: utterance.nullable(), why: stopCause.exactOptional() }),
  on("erased", { by: personId, messages: list(messageId) }),
  on("restricted", { by: personId }),
  on("due", { for: effectId }),
]);

export const labels = list(z.string());
