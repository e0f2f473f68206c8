import * as z from "zod";
import type { Category } from "../../machine/vocabulary.ts";
import { agentHowSchema, agentsSchema } from "./agent.ts";
import {
  conversationIdSchema,
  effectIdSchema,
  kindSchema,
  listSchema,
  messageIdSchema,
  personIdSchema,
  questionIdSchema,
} from "./id.ts";
import { noteSchema } from "./transcript.ts";
import {
  approvedSchema,
  askSchema,
  callSchema,
  callsSchema,
  carriageSchema,
  categorySchema,
  confinementSchema,
  confirmedSchema,
  failureSchema,
  laterMessageSchema,
  modelChoiceSchema,
  offerSchema,
  permissionSchema,
  seedSchema,
  speakerSchema,
  stopCauseSchema,
  unseenSchema,
  untrustedSchema,
  usageSchema,
  utteranceSchema,
  writeSchema,
} from "./vocabulary.ts";

/** Grants exist only in memory: they are never read from a row (C27). */
const noGrants = z
  .unknown()
  .optional()
  .transform((): readonly Category[] => []);

/** Data that waits for the end of a call: the other calls of its round, and notes for the model. */
const round = { call: callSchema, rest: callsSchema, notes: listSchema(noteSchema) };

const question = z.intersection(
  askSchema,
  z.object({
    id: questionIdSchema,
    askedAt: z.number(),
    message: messageIdSchema,
    told: listSchema(unseenSchema).exactOptional(),
  }),
);

const wait = z.object({ for: effectIdSchema, delay: z.number(), failure: failureSchema }).nullable();

const phase = z.discriminatedUnion("kind", [
  kindSchema("idle", {}),
  kindSchema("thinking", { request: effectIdSchema, attempt: z.number(), wait, parts: z.number() }),
  kindSchema("running", {
    effect: effectIdSchema,
    message: messageIdSchema,
    ...round,
    approved: approvedSchema.exactOptional(),
    confirmed: confirmedSchema.exactOptional(),
    online: z.literal(true).exactOptional(),
  }),
  kindSchema("awaitingApproval", { question, ...round }),
  kindSchema("awaitingAgents", {
    effect: effectIdSchema,
    message: messageIdSchema,
    ...round,
    agents: agentsSchema,
    wait: z.object({ for: effectIdSchema, delay: z.number() }).nullable(),
    hurried: z.boolean(),
  }),
  kindSchema("ended", {
    how: agentHowSchema,
    why: z.string().exactOptional(),
    result: z.object({ message: messageIdSchema, call: z.string().nullable() }).nullable(),
  }),
  kindSchema("stopping", {
    effect: effectIdSchema,
    message: messageIdSchema,
    wait: z.object({ for: effectIdSchema, delay: z.number() }),
    ...round,
    agents: agentsSchema.exactOptional(),
    by: personIdSchema,
    why: stopCauseSchema.exactOptional(),
    approved: approvedSchema.exactOptional(),
    then: utteranceSchema.nullable(),
  }),
  kindSchema("failed", { failure: failureSchema, other: modelChoiceSchema.exactOptional() }),
  kindSchema("summarizing", {
    request: effectIdSchema,
    attempt: z.number(),
    wait,
    rejected: callsSchema,
    by: personIdSchema.nullable(),
  }),
  kindSchema("exhausted", {
    summary: messageIdSchema.nullable(),
    next: conversationIdSchema.nullable(),
    link: z.string().exactOptional(),
    carried: carriageSchema.exactOptional(),
  }),
]);

export const phaseKindSchema = z.enum(phase.options.map(({ shape }) => shape.kind.value));

export const stateSchema = z.object({
  id: conversationIdSchema,
  kind: z.enum(["thread", "subagent"]),
  parent: conversationIdSchema.nullable(),
  permission: permissionSchema,
  writes: z.string().exactOptional(),
  confinement: confinementSchema,
  offer: offerSchema.exactOptional(),
  mode: z.string(),
  safeMode: z.boolean(),
  grants: noGrants,
  model: z.string(),
  context: z.object({
    used: z.number(),
    window: z.number(),
    warned: z.boolean(),
    warning: z.object({ seq: z.number(), at: z.number(), used: z.number() }).exactOptional(),
  }),
  usage: usageSchema,
  background: z.boolean(),
  online: z.literal(true).exactOptional(),
  untrusted: untrustedSchema.exactOptional(),
  ownFiles: z.object({ by: personIdSchema, count: z.number() }).exactOptional(),
  shown: untrustedSchema.exactOptional(),
  guarded: z.literal(true).exactOptional(),
  grace: z.enum(["turns", "time"]).exactOptional(),
  denials: listSchema(z.number()),
  pause: z.object({ seq: z.number(), at: z.number(), until: z.number() }).exactOptional(),
  unsure: listSchema(z.object({ effect: effectIdSchema, approved: approvedSchema })).exactOptional(),
  branches: listSchema(
    z.object({
      effect: effectIdSchema,
      mode: z.string(),
      by: personIdSchema,
      seed: seedSchema.exactOptional(),
    }),
  ),
  waiting: listSchema(laterMessageSchema).exactOptional(),
  seq: z.number(),
  turn: z.object({
    no: z.number(),
    speaker: speakerSchema.nullable(),
    begun: z.number(),
    rounds: z.number(),
    denied: listSchema(
      z.union([
        z.enum(["upgrade", "mode"]),
        categorySchema,
        writeSchema,
        z.templateLiteral(["shown:", z.string()]),
      ]),
    ),
    usage: usageSchema,
    confirmed: z.literal(true).exactOptional(),
    reviewed: z.string().exactOptional(),
    own: modelChoiceSchema.exactOptional(),
    reused: z.literal(true).exactOptional(),
    added: listSchema(laterMessageSchema).exactOptional(),
    authors: listSchema(personIdSchema).exactOptional(),
    end: z
      .object({ at: z.number(), why: z.enum(["answered", "stopped", "interrupted", "failed", "discarded"]) })
      .nullable(),
  }),
  phase,
});
