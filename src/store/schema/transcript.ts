import * as z from "zod";
import { NOTES } from "../../machine/transcript.ts";
import { agentsSchema } from "./agent.ts";
import { conversationIdSchema, kindSchema, listSchema, messageIdSchema, personIdSchema } from "./id.ts";
import {
  askSchema,
  callSchema,
  callsSchema,
  categoriesSchema,
  choiceSchema,
  earlierAnswersSchema,
  failureSchema,
  permissionSchema,
  putBackSchema,
  requestSchema,
  resultOriginSchema,
  setupSchema,
  stopSchema,
  stopCauseSchema,
  unseenSchema,
  utteranceSchema,
  writeSchema,
  wroteSchema,
} from "./vocabulary.ts";

export const noteSchema = z.union([
  z.enum(NOTES),
  kindSchema("mode", { mode: z.string(), message: messageIdSchema }),
  kindSchema("edited", { message: messageIdSchema }),
]);

export const decisionSchema = z.object({
  choice: choiceSchema,
  by: personIdSchema,
  at: z.number(),
  comment: messageIdSchema.nullable(),
  commits: z.number().exactOptional(),
  option: z.number().exactOptional(),
});

export const outcomeSchema = z.discriminatedUnion("kind", [
  kindSchema("ran", {
    message: messageIdSchema,
    isError: z.boolean(),
    exit: z.int().exactOptional(),
    files: z.number().exactOptional(),
    changed: z.literal(true).exactOptional(),
    note: z.literal(true).exactOptional(),
    agents: agentsSchema.exactOptional(),
  }),
  kindSchema("host", {
    text: z.string(),
    isError: z.boolean(),
    decision: decisionSchema.nullable(),
    ask: askSchema.exactOptional(),
    agents: agentsSchema.exactOptional(),
    cut: z.literal(true).exactOptional(),
  }),
  kindSchema("mode", {
    success: z.boolean(),
    mode: z.string(),
    branch: z.boolean(),
    decision: decisionSchema.nullable(),
    ask: askSchema,
  }),
]);

export const noticeSchema = z.discriminatedUnion("kind", [
  kindSchema("stopped", { by: personIdSchema, skipped: z.number(), why: stopCauseSchema.exactOptional() }),
  kindSchema("interrupted", {}),
  kindSchema("unread", { by: listSchema(personIdSchema) }),
  kindSchema("failed", { failure: failureSchema, attempts: z.number(), other: z.string().exactOptional() }),
  kindSchema("fellBack", { from: z.string(), to: z.string(), failure: failureSchema }),
  kindSchema("permission", { to: permissionSchema, by: personIdSchema, on: z.string().exactOptional() }),
  kindSchema("mode", { from: z.string(), to: z.string(), by: personIdSchema }),
  kindSchema("model", { from: z.string(), to: z.string(), by: personIdSchema }),
  kindSchema("safeMode", { on: z.boolean(), by: personIdSchema }),
  kindSchema("grants", { categories: categoriesSchema, by: personIdSchema }),
  kindSchema("notAsked", {
    why: z.union([
      z.object({ host: z.string() }),
      z.object({ request: requestSchema.exclude(["allowed"]), by: personIdSchema }),
    ]),
  }),
  kindSchema("paused", { until: z.number(), over: z.literal(true).exactOptional() }),
  kindSchema("branched", {
    to: conversationIdSchema.nullable(),
    mode: z.string(),
    link: z.string().exactOptional(),
    why: z.string().exactOptional(),
  }),
  kindSchema("notContinued", { why: z.string().exactOptional() }),
  kindSchema("wrote", { write: writeSchema, by: personIdSchema, wrote: wroteSchema }),
  kindSchema("setUp", { setUp: setupSchema }),
  kindSchema("putBack", { putBack: putBackSchema }),
  kindSchema("context", { used: z.number(), window: z.number() }),
  kindSchema("reused", { from: conversationIdSchema, age: z.number(), link: z.string().exactOptional() }),
  kindSchema("unseen", { why: unseenSchema, days: z.number() }),
  kindSchema("empty", {}),
  kindSchema("refused", {}),
  kindSchema("noCall", {}),
  kindSchema("cut", {}),
]);

export const summarySchema = z.object({
  message: messageIdSchema.nullable(),
  ended: z.enum(["summarized", "failed", "cancelled"]),
  percent: z.number(),
  by: personIdSchema.nullable(),
  rejected: listSchema(z.string()),
});

const told = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) =>
  z.object({ turn: z.number(), seq: z.number(), at: z.number(), kind: z.literal(name), ...shape });

export const entrySchema = z.discriminatedUnion("kind", [
  told("said", {
    ...utteranceSchema.shape,
    added: z.literal(true).exactOptional(),
    edited: z.literal(true).exactOptional(),
  }),
  told("answer", {
    message: messageIdSchema,
    text: z.number(),
    calls: callsSchema,
    stop: stopSchema,
    model: z.string().exactOptional(),
    earlier: earlierAnswersSchema.exactOptional(),
    notes: listSchema(z.string()).exactOptional(),
  }),
  told("result", { call: callSchema, outcome: outcomeSchema, origin: resultOriginSchema }),
  told("asked", { call: callSchema, message: messageIdSchema, ask: askSchema }),
  told("granted", { call: callSchema, ask: askSchema, decision: decisionSchema }),
  told("note", { note: noteSchema }),
  told("notice", { notice: noticeSchema }),
  told("summary", summarySchema.shape),
]);
