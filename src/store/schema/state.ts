import * as z from "zod";
import type { Category } from "../../machine/words.ts";
import { agentHow, agents } from "./agent.ts";
import { conversationId, effectId, kind, list, messageId, personId, questionId } from "./id.ts";
import { note } from "./transcript.ts";
import {
  approved,
  ask,
  call,
  calls,
  carriage,
  category,
  confinement,
  confirmed,
  failure,
  modelChoice,
  offer,
  permission,
  seed,
  speaker,
  stopCause,
  unseen,
  untrusted,
  usage,
  utterance,
  write,
} from "./words.ts";

/** Grants exist only in memory: they are never read from a row (C27). */
const noGrants = z
  .unknown()
  .optional()
  .transform((): readonly Category[] => []);

/** Data that waits for the end of a call: the other calls of its round, and notes for the model. */
const round = { call, rest: calls, notes: list(note) };

const question = z.intersection(
  ask,
  z.object({
    id: questionId,
    askedAt: z.number(),
    message: messageId,
    told: list(unseen).exactOptional(),
  }),
);

const wait = z.object({ for: effectId, delay: z.number(), failure }).nullable();

const phase = z.discriminatedUnion("kind", [
  kind("idle", {}),
  kind("thinking", { request: effectId, attempt: z.number(), wait, parts: z.number() }),
  kind("running", {
    effect: effectId,
    message: messageId,
    ...round,
    approved: approved.exactOptional(),
    confirmed: confirmed.exactOptional(),
    online: z.literal(true).exactOptional(),
  }),
  kind("awaitingApproval", { question, ...round }),
  kind("awaitingAgents", {
    effect: effectId,
    message: messageId,
    ...round,
    agents,
    wait: z.object({ for: effectId, delay: z.number() }).nullable(),
    hurried: z.boolean(),
  }),
  kind("ended", {
    how: agentHow,
    why: z.string().exactOptional(),
    result: z.object({ message: messageId, call: z.string().nullable() }).nullable(),
  }),
  kind("stopping", {
    effect: effectId,
    message: messageId,
    wait: z.object({ for: effectId, delay: z.number() }),
    ...round,
    agents: agents.exactOptional(),
    by: personId,
    why: stopCause.exactOptional(),
    approved: approved.exactOptional(),
    then: utterance.nullable(),
  }),
  kind("failed", { failure, other: modelChoice.exactOptional() }),
  kind("summarizing", {
    request: effectId,
    attempt: z.number(),
    wait,
    rejected: calls,
    by: personId.nullable(),
  }),
  kind("exhausted", {
    summary: messageId.nullable(),
    next: conversationId.nullable(),
    link: z.string().exactOptional(),
    carried: carriage.exactOptional(),
  }),
]);

export const phaseKind = z.enum(phase.options.map(({ shape }) => shape.kind.value));

export const state = z.object({
  id: conversationId,
  kind: z.enum(["thread", "subagent"]),
  parent: conversationId.nullable(),
  permission,
  writes: z.string().exactOptional(),
  confinement,
  offer: offer.exactOptional(),
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
  usage,
  background: z.boolean(),
  online: z.literal(true).exactOptional(),
  untrusted: untrusted.exactOptional(),
  shown: untrusted.exactOptional(),
  guarded: z.literal(true).exactOptional(),
  grace: z.enum(["turns", "time"]).exactOptional(),
  denials: list(z.number()),
  pause: z.object({ seq: z.number(), at: z.number(), until: z.number() }).exactOptional(),
  unsure: list(z.object({ effect: effectId, approved })).exactOptional(),
  branches: list(z.object({ effect: effectId, mode: z.string(), by: personId, seed: seed.exactOptional() })),
  seq: z.number(),
  turn: z.object({
    no: z.number(),
    speaker: speaker.nullable(),
    begun: z.number(),
    rounds: z.number(),
    denied: list(
      z.union([z.enum(["upgrade", "mode"]), category, write, z.templateLiteral(["shown:", z.string()])]),
    ),
    usage,
    confirmed: z.literal(true).exactOptional(),
    reviewed: z.string().exactOptional(),
    own: modelChoice.exactOptional(),
    reused: z.literal(true).exactOptional(),
    end: z
      .object({ at: z.number(), why: z.enum(["answered", "stopped", "interrupted", "failed", "discarded"]) })
      .nullable(),
  }),
  phase,
});
