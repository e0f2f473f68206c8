import * as z from "zod";
import { NOTES } from "../../machine/transcript.ts";
import { agents } from "./agent.ts";
import { conversationId, kind, list, messageId, personId } from "./id.ts";
import {
  ask,
  call,
  calls,
  categories,
  choice,
  earlierAnswers,
  failure,
  origin,
  permission,
  putBack,
  request,
  setUp,
  stop,
  stopCause,
  unseen,
  utterance,
  write,
  wrote,
} from "./words.ts";

export const note = z.union([
  z.enum(NOTES),
  kind("mode", { mode: z.string(), message: messageId }),
  kind("edited", { message: messageId }),
]);

export const decision = z.object({
  choice,
  by: personId,
  at: z.number(),
  comment: messageId.nullable(),
  commits: z.number().exactOptional(),
});

export const outcome = z.discriminatedUnion("kind", [
  kind("ran", {
    message: messageId,
    isError: z.boolean(),
    exit: z.int().exactOptional(),
    files: z.number().exactOptional(),
    changed: z.literal(true).exactOptional(),
    agents: agents.exactOptional(),
  }),
  kind("host", {
    text: z.string(),
    isError: z.boolean(),
    decision: decision.nullable(),
    ask: ask.exactOptional(),
    agents: agents.exactOptional(),
    cut: z.literal(true).exactOptional(),
  }),
  kind("mode", {
    success: z.boolean(),
    mode: z.string(),
    branch: z.boolean(),
    decision: decision.nullable(),
    ask,
  }),
]);

export const notice = z.discriminatedUnion("kind", [
  kind("stopped", { by: personId, skipped: z.number(), why: stopCause.exactOptional() }),
  kind("interrupted", {}),
  kind("failed", { failure, attempts: z.number(), other: z.string().exactOptional() }),
  kind("fellBack", { from: z.string(), to: z.string(), failure }),
  kind("permission", { to: permission, by: personId, on: z.string().exactOptional() }),
  kind("mode", { from: z.string(), to: z.string(), by: personId }),
  kind("model", { from: z.string(), to: z.string(), by: personId }),
  kind("safeMode", { on: z.boolean(), by: personId }),
  kind("grants", { categories, by: personId }),
  kind("notAsked", {
    why: z.union([
      z.object({ host: z.string() }),
      z.object({ request: request.exclude(["allowed"]), by: personId }),
    ]),
  }),
  kind("paused", { until: z.number(), over: z.literal(true).exactOptional() }),
  kind("branched", {
    to: conversationId.nullable(),
    mode: z.string(),
    link: z.string().exactOptional(),
    why: z.string().exactOptional(),
  }),
  kind("notContinued", { why: z.string().exactOptional() }),
  kind("wrote", { write, by: personId, wrote }),
  kind("setUp", { setUp }),
  kind("putBack", { putBack }),
  kind("context", { used: z.number(), window: z.number() }),
  kind("reused", { from: conversationId, age: z.number(), link: z.string().exactOptional() }),
  kind("unseen", { why: unseen, days: z.number() }),
  kind("empty", {}),
  kind("refused", {}),
  kind("noCall", {}),
  kind("cut", {}),
]);

/** How a conversation with an exhausted context ended. */
export const summary = z.object({
  message: messageId.nullable(),
  ended: z.enum(["summarized", "failed", "cancelled"]),
  percent: z.number(),
  by: personId.nullable(),
  rejected: list(z.string()),
});

const told = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) =>
  z.object({ turn: z.number(), seq: z.number(), at: z.number(), kind: z.literal(name), ...shape });

export const entry = z.discriminatedUnion("kind", [
  told("said", utterance.shape),
  told("answer", {
    message: messageId,
    text: z.number(),
    calls,
    stop,
    model: z.string().exactOptional(),
    earlier: earlierAnswers.exactOptional(),
  }),
  told("result", { call, outcome, origin }),
  told("asked", { call, message: messageId, ask }),
  told("granted", { call, ask, decision }),
  told("note", { note }),
  told("notice", { notice }),
  told("summary", summary.shape),
]);
