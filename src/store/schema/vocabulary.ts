import * as z from "zod";
import { ANSWERS, CATEGORIES, FAILURES, WRITES } from "../../machine/vocabulary.ts";
import { conversationIdSchema, kindSchema, listSchema, messageIdSchema, personIdSchema } from "./id.ts";

export const permissionSchema = z.enum(["restricted", "unrestricted"]);
export const confinementSchema = z.enum(["enforced", "unavailable"]);

export const categorySchema = z.enum(CATEGORIES);

export const speakerSchema = z.object({
  id: personIdSchema,
  name: z.string().exactOptional(),
  mayDrive: z.boolean(),
  mayApprove: z.boolean(),
});

const count = z.number();
export const quotedSchema = z.object({
  messages: count,
  previews: count,
  files: count,
  pictures: count,
  summaries: count.exactOptional(),
  events: count.exactOptional(),
  own: count.exactOptional(),
  hosts: listSchema(z.string()).exactOptional(),
});
export const untrustedSchema = quotedSchema.extend({
  hosts: listSchema(z.string()),
  others: count.exactOptional(),
});

export const utteranceSchema = z.object({
  message: messageIdSchema,
  speaker: speakerSchema,
  images: z.number(),
  quoted: quotedSchema.exactOptional(),
  reviewed: z.string().exactOptional(),
});

export const laterMessageSchema = utteranceSchema
  .omit({ reviewed: true })
  .extend({ at: z.number(), edited: z.literal(true).exactOptional() });

export const carriageSchema = z.enum(["same", "copied", "left"]);

export const seedSchema = z.object({ summary: messageIdSchema.nullable(), speaker: speakerSchema });

const named = { id: z.string(), name: z.string() };
const modeWish = { mode: z.string(), branch: z.boolean() };

const asked = { choices: z.number(), plan: z.literal(true).exactOptional() };

export const requestSchema = z.enum(["allowed", "open", "often", "off"]);

export const offerSchema = z.object({ refused: z.string().nullable(), network: z.boolean() });

export const callSchema = z.discriminatedUnion("intent", [
  z.object({ ...named, intent: z.literal("tool") }),
  z.object({
    ...named,
    intent: z.literal("upgrade"),
    request: requestSchema.exactOptional(),
    on: z.string().exactOptional(),
  }),
  z.object({ ...named, intent: z.literal("mode"), ...modeWish }),
  z.object({
    ...named,
    intent: z.literal("spawn"),
    agents: listSchema(z.object({ model: z.string().exactOptional() })),
  }),
  z.object({ ...named, intent: z.literal("submit"), success: z.boolean() }),
  z.object({ ...named, intent: z.literal("ask"), ...asked }),
]);

export const categoriesSchema = listSchema(categorySchema);

export const writeSchema = z.enum(WRITES);

export const askSchema = z.discriminatedUnion("kind", [
  kindSchema("upgrade", {
    from: z.object({ how: z.enum(["request", "command"]), by: personIdSchema }).exactOptional(),
    on: z.string().exactOptional(),
  }),
  kindSchema("danger", { categories: categoriesSchema, shown: messageIdSchema, fingerprint: z.string() }),
  kindSchema("mode", { ...modeWish }),
  kindSchema("write", {
    write: writeSchema,
    scope: z.string().exactOptional(),
    shown: messageIdSchema,
    fingerprint: z.string(),
    review: z
      .object({ comments: z.number(), leftOut: listSchema(z.number()), mayRequest: z.boolean() })
      .exactOptional(),
  }),
  kindSchema("result", {
    shown: messageIdSchema,
    fingerprint: z.string(),
    pull: z.boolean(),
    commits: z.number().exactOptional(),
  }),
  kindSchema("answer", { place: z.string() }),
  kindSchema("person", { ...asked }),
]);

export const askKindSchema = z.enum(askSchema.options.map(({ shape }) => shape.kind.value));

export const originSchema = z.enum(["checkout", "forge", "server", "web", "model", "host"]);

export const resultOriginSchema = z.enum([
  ...originSchema.options,
  "approver",
  "member",
  "stranger",
  "event",
]);

export const unseenSchema = z.enum(["late", "unreachable"]);

export const confirmedSchema = z.object({ by: personIdSchema, branch: z.boolean() });

export const approvedSchema = z.object({
  write: writeSchema,
  by: z.object({ id: personIdSchema, name: z.string().exactOptional() }),
  at: z.number(),
  fingerprint: z.string(),
  commits: z.number().exactOptional(),
  review: z.object({ leftOut: listSchema(z.number()), requestsChanges: z.boolean() }).exactOptional(),
});

export const wroteSchema = z.discriminatedUnion("kind", [
  kindSchema("done", { name: z.string(), url: z.string().exactOptional() }),
  kindSchema("void", { why: z.string() }),
  kindSchema("failed", { why: z.string() }),
  kindSchema("unknown", { why: z.string().exactOptional() }),
]);

export const choiceSchema = z.enum(ANSWERS);

export const callsSchema = listSchema(callSchema);

export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costMicroUsd: z.number(),
});

export const reusedSchema = z.object({
  conversation: conversationIdSchema,
  message: messageIdSchema,
  at: z.number(),
  link: z.string().exactOptional(),
});

export const earlierAnswersSchema = listSchema(
  z.object({ conversation: conversationIdSchema, at: z.number(), link: z.string() }),
);

export const setupSchema = z.discriminatedUnion("kind", [
  kindSchema("began", {}),
  kindSchema("ready", { seconds: z.number(), late: z.boolean() }),
  kindSchema("failed", {
    why: z.string(),
    output: listSchema(z.string()).exactOptional(),
    log: z.string().exactOptional(),
  }),
]);
export const putBackSchema = z.discriminatedUnion("kind", [
  kindSchema("whole", { days: z.number(), moved: z.literal(true).exactOptional() }),
  kindSchema("fresh", { days: z.number(), kept: z.string() }),
]);
export const stopCauseSchema = z.enum(["erased", "barred", "time"]);

export const stopSchema = z.enum(["end", "tools", "max_tokens", "pause", "refusal", "window"]);

export const modelChoiceSchema = z.object({ name: z.string(), window: z.number() });

const told = z.object({
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.object({ lasts: z.number() })])),
});

export const failureSchema = z.object({
  kind: z.enum(FAILURES),
  message: z.string(),
  told: listSchema(told).exactOptional(),
  retryAfter: z.number().nullable(),
});
