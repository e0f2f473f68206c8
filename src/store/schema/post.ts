import * as z from "zod";
import { OWN_ACTIONS } from "../../thread/post.ts";
import { agentsSchema } from "./agent.ts";
import {
  conversationIdSchema,
  kindSchema,
  listSchema,
  messageIdSchema,
  personIdSchema,
  questionIdSchema,
} from "./id.ts";
import { decisionSchema, noticeSchema, outcomeSchema, summarySchema } from "./transcript.ts";
import {
  askSchema,
  callSchema,
  carriageSchema,
  choiceSchema,
  confinementSchema,
  earlierAnswersSchema,
  permissionSchema,
  speakerSchema,
  stopCauseSchema,
  untrustedSchema,
  usageSchema,
  wroteSchema,
} from "./vocabulary.ts";

const step = z.object({
  message: messageIdSchema,
  call: callSchema,
  outcome: outcomeSchema,
  took: z.number(),
});

const body = z.discriminatedUnion("kind", [
  kindSchema("opening", { permission: permissionSchema, confinement: confinementSchema, mode: z.string() }),
  kindSchema("user", { message: messageIdSchema, speaker: speakerSchema, images: z.number() }),
  kindSchema("answer", { message: messageIdSchema }),
  kindSchema("activity", {
    message: messageIdSchema,
    call: callSchema,
    status: z.enum(["waiting", "running", "done", "error"]),
    outcome: outcomeSchema.nullable(),
    took: z.number().exactOptional(),
    agents: agentsSchema.exactOptional(),
  }),
  kindSchema("question", {
    question: questionIdSchema.nullable(),
    asker: personIdSchema.exactOptional(),
    turn: z.int(),
    message: messageIdSchema,
    call: callSchema,
    ask: askSchema.exactOptional(),
    untrusted: untrustedSchema.exactOptional(),
    cover: z
      .object({
        refused: z.string().nullable(),
        confined: z.boolean(),
        network: z.enum(["none", "asked", "open"]),
      })
      .exactOptional(),
    decision: decisionSchema.nullable(),
    plan: z.literal(true).exactOptional(),
    stopped: z.union([z.literal(true), stopCauseSchema]).exactOptional(),
    wrote: wroteSchema.exactOptional(),
    withheld: z.literal(true).exactOptional(),
    branched: z
      .object({
        link: z.string().exactOptional(),
        to: conversationIdSchema.nullable(),
        why: z.string().exactOptional(),
      })
      .exactOptional(),
  }),
  kindSchema("file", { message: messageIdSchema, index: z.number() }),
  kindSchema("notice", { notice: noticeSchema, folded: z.literal(true).exactOptional() }),
  kindSchema("turn", {
    end: z.enum(["answered", "stopped", "interrupted", "failed", "discarded"]),
    asked: z.object({ message: messageIdSchema, by: personIdSchema }).exactOptional(),
    said: listSchema(messageIdSchema),
    changes: listSchema(step),
    files: listSchema(z.object({ message: messageIdSchema, index: z.number() })),
    steps: z.object({ count: z.number(), rows: listSchema(step) }),
    notices: listSchema(noticeSchema),
    permission: permissionSchema,
    held: personIdSchema.exactOptional(),
    unconfined: z.literal(true).exactOptional(),
    readOnly: z.literal(true).exactOptional(),
    uncommitted: z.literal(true).exactOptional(),
    pictures: z.number().exactOptional(),
    tried: z.number().exactOptional(),
    duration: z.number(),
    model: z.string().exactOptional(),
    context: z.number().exactOptional(),
    earlier: earlierAnswersSchema.exactOptional(),
    notes: z.number().exactOptional(),
    note: messageIdSchema.exactOptional(),
    looked: z.object({ by: personIdSchema, edited: z.boolean() }).exactOptional(),
  }),
  kindSchema("summary", {
    ...summarySchema.shape,
    next: conversationIdSchema.nullable(),
    link: z.string().exactOptional(),
    carried: carriageSchema.exactOptional(),
    withheld: z.literal(true).exactOptional(),
  }),
  kindSchema("footer", {
    usage: usageSchema,
    model: z.string(),
    mode: z.string(),
    permission: permissionSchema,
    duration: z.number(),
    answer: messageIdSchema.exactOptional(),
    context: z.number().exactOptional(),
    earlier: earlierAnswersSchema.exactOptional(),
    notes: z.number().exactOptional(),
  }),
]);

export const postSchema = z.object({
  key: z.string(),
  at: z.number(),
  final: z.boolean(),
  actions: listSchema(z.enum([...choiceSchema.options, ...OWN_ACTIONS])),
  body,
});
