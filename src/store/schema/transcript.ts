/** Entries of the transcript as they come from disk. */

import * as z from "zod";
import { agents } from "./agent.ts";
import { conversationId, messageId, personId } from "./id.ts";
import {
  ask,
  call,
  calls,
  categories,
  choice,
  failure,
  permission,
  putBack,
  request,
  setUp,
  stop,
  stopCause,
  utterance,
  write,
  wrote,
} from "./words.ts";

export const note = z.union([
  z.enum(["upgraded", "downgraded", "continue", "askAgain", "turnLimit", "timeLimit"]),
  z.object({ kind: z.literal("mode"), mode: z.string(), message: messageId }),
]);

export const decision = z.object({
  choice,
  by: personId,
  at: z.number(),
  comment: messageId.nullable(),
});

export const outcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ran"),
    message: messageId,
    isError: z.boolean(),
    exit: z.int().exactOptional(),
    files: z.number().exactOptional(),
    changed: z.literal(true).exactOptional(),
    agents: agents.exactOptional(),
  }),
  z.object({
    kind: z.literal("host"),
    text: z.string(),
    isError: z.boolean(),
    decision: decision.nullable(),
    ask: ask.exactOptional(),
    agents: agents.exactOptional(),
  }),
  z.object({
    kind: z.literal("mode"),
    success: z.boolean(),
    mode: z.string(),
    branch: z.boolean(),
    decision: decision.nullable(),
    ask,
  }),
]);

export const notice = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("stopped"),
    by: personId,
    skipped: z.number(),
    why: stopCause.exactOptional(),
  }),
  z.object({ kind: z.literal("interrupted") }),
  z.object({
    kind: z.literal("failed"),
    failure,
    attempts: z.number(),
    other: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal("fellBack"), from: z.string(), to: z.string(), failure }),
  z.object({ kind: z.literal("permission"), to: permission, by: personId }),
  z.object({ kind: z.literal("mode"), from: z.string(), to: z.string(), by: personId }),
  z.object({ kind: z.literal("model"), from: z.string(), to: z.string(), by: personId }),
  z.object({ kind: z.literal("safeMode"), on: z.boolean(), by: personId }),
  z.object({ kind: z.literal("grants"), categories, by: personId }),
  z.object({
    kind: z.literal("notAsked"),
    why: z.union([
      z.object({ host: z.string() }),
      z.object({ request: request.exclude(["allowed"]), by: personId }),
    ]),
  }),
  z.object({ kind: z.literal("paused"), until: z.number(), over: z.literal(true).exactOptional() }),
  z.object({
    kind: z.literal("branched"),
    to: conversationId.nullable(),
    mode: z.string(),
    link: z.string().exactOptional(),
    why: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal("notContinued"), why: z.string().exactOptional() }),
  z.object({ kind: z.literal("wrote"), write, by: personId, wrote }),
  z.object({ kind: z.literal("setUp"), setUp }),
  z.object({ kind: z.literal("putBack"), putBack }),
  z.object({ kind: z.literal("context"), used: z.number(), window: z.number() }),
  z.object({ kind: z.literal("empty") }),
  z.object({ kind: z.literal("refused") }),
  z.object({ kind: z.literal("cut") }),
]);

/** How a conversation ended whose context is exhausted. */
export const summary = z.object({
  message: messageId.nullable(),
  ended: z.enum(["summarized", "failed", "cancelled"]),
  percent: z.number(),
  by: personId.nullable(),
  rejected: z.array(z.string()).readonly(),
});

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
    model: z.string().exactOptional(),
  }),
  z.object({ ...base, kind: z.literal("result"), call, outcome }),
  z.object({ ...base, kind: z.literal("asked"), call, message: messageId, ask }),
  z.object({ ...base, kind: z.literal("granted"), call, ask, decision }),
  z.object({ ...base, kind: z.literal("note"), note }),
  z.object({ ...base, kind: z.literal("notice"), notice }),
  z.object({ ...base, kind: z.literal("summary"), ...summary.shape }),
]);
