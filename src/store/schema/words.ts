/** Schemas of the shared vocabulary of src/machine/words.ts. */

import * as z from "zod";
import { ANSWERS, CATEGORIES, FAILURES, WRITES } from "../../machine/words.ts";
import { conversationId, kind, list, messageId, personId } from "./id.ts";

export const permission = z.enum(["restricted", "unrestricted"]);
export const confinement = z.enum(["enforced", "unavailable"]);

export const category = z.enum(CATEGORIES);

export const speaker = z.object({
  id: personId,
  name: z.string().exactOptional(),
  mayDrive: z.boolean(),
  mayApprove: z.boolean(),
});

const count = z.number();
export const quoted = z.object({
  messages: count,
  previews: count,
  files: count,
  pictures: count,
  summaries: count.exactOptional(),
  events: count.exactOptional(),
});
export const untrusted = quoted.extend({
  hosts: list(z.string()),
  others: count.exactOptional(),
});

export const utterance = z.object({
  message: messageId,
  speaker,
  images: z.number(),
  quoted: quoted.exactOptional(),
  reviewed: z.string().exactOptional(),
});

export const carriage = z.enum(["same", "copied", "left"]);

/** Start of a continuation. */
export const seed = z.object({ summary: messageId.nullable(), speaker });

const named = { id: z.string(), name: z.string() };
const modeWish = { mode: z.string(), branch: z.boolean() };

export const request = z.enum(["allowed", "open", "often", "off"]);

export const offer = z.object({ refused: z.string().nullable(), network: z.boolean() });

export const call = z.discriminatedUnion("intent", [
  z.object({ ...named, intent: z.literal("tool") }),
  z.object({
    ...named,
    intent: z.literal("upgrade"),
    request: request.exactOptional(),
    on: z.string().exactOptional(),
  }),
  z.object({ ...named, intent: z.literal("mode"), ...modeWish }),
  z.object({
    ...named,
    intent: z.literal("spawn"),
    agents: list(z.object({ model: z.string().exactOptional() })),
  }),
  z.object({ ...named, intent: z.literal("submit"), success: z.boolean() }),
]);

export const categories = list(category);

export const write = z.enum(WRITES);

export const ask = z.discriminatedUnion("kind", [
  kind("upgrade", {
    from: z.object({ how: z.enum(["request", "command"]), by: personId }).exactOptional(),
    on: z.string().exactOptional(),
  }),
  kind("danger", { categories, shown: messageId, fingerprint: z.string() }),
  kind("mode", { ...modeWish }),
  kind("write", { write, scope: z.string().exactOptional(), shown: messageId, fingerprint: z.string() }),
  kind("result", {
    shown: messageId,
    fingerprint: z.string(),
    pull: z.boolean(),
    commits: z.number().exactOptional(),
  }),
  kind("answer", { place: z.string() }),
]);

/** The `kind` of `ask`. */
export const askKind = z.enum(ask.options.map(({ shape }) => shape.kind.value));

export const origin = z.enum(["checkout", "forge", "server", "web", "model", "host"]);

export const unseen = z.enum(["late", "unreachable"]);

export const confirmed = z.object({ by: personId, branch: z.boolean() });

export const approved = z.object({
  write,
  by: z.object({ id: personId, name: z.string().exactOptional() }),
  at: z.number(),
  fingerprint: z.string(),
  commits: z.number().exactOptional(),
});

export const wrote = z.discriminatedUnion("kind", [
  kind("done", { name: z.string(), url: z.string().exactOptional() }),
  kind("void", { why: z.string() }),
  kind("failed", { why: z.string() }),
  kind("unknown", { why: z.string().exactOptional() }),
]);

export const choice = z.enum(ANSWERS);

export const calls = list(call);

export const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costMicroUsd: z.number(),
});

export const reused = z.object({
  conversation: conversationId,
  message: messageId,
  at: z.number(),
  link: z.string().exactOptional(),
});

export const earlierAnswers = list(
  z.object({ conversation: conversationId, at: z.number(), link: z.string() }),
);

export const setUp = z.discriminatedUnion("kind", [
  kind("began", {}),
  kind("ready", { seconds: z.number(), late: z.boolean() }),
  kind("failed", {
    why: z.string(),
    output: list(z.string()).exactOptional(),
    log: z.string().exactOptional(),
  }),
]);
export const putBack = z.discriminatedUnion("kind", [
  kind("whole", { days: z.number(), moved: z.literal(true).exactOptional() }),
  kind("fresh", { days: z.number(), kept: z.string() }),
]);
export const stopCause = z.enum(["erased", "barred", "time"]);

export const stop = z.enum(["end", "tools", "max_tokens", "pause", "refusal", "window"]);

export const modelChoice = z.object({ name: z.string(), window: z.number() });

const told = z.object({
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.object({ lasts: z.number() })])),
});

export const failure = z.object({
  kind: z.enum(FAILURES),
  message: z.string(),
  told: list(told).exactOptional(),
  retryAfter: z.number().nullable(),
});
