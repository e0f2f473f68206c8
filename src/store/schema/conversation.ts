/** Schemas of a conversation's fixed fields, and of its claims. */

import * as z from "zod";
import { REFUSALS } from "../../machine/refusal.ts";
import { conversationId, kind, list, personId } from "./id.ts";
import { imageRefs, own } from "./prompt.ts";
import { quoted, speaker } from "./words.ts";

const alone = z.object({
  kind: z.enum(["path", "url"]),
  location: z.string(),
  ref: z.string().exactOptional(),
});

export const repo = alone.extend({
  name: z.string().exactOptional(),
  beside: list(alone.extend({ name: z.string() })).exactOptional(),
});

export const origin = z.object({ conversation: conversationId, why: z.enum(["branch", "continuation"]) });

export const instructions = z.object({ text: z.string(), by: personId, at: z.number() });

const at = { commit: z.string(), ref: z.string() };

export const base = z.object({
  ...at,
  cwd: z.string(),
  name: z.string().exactOptional(),
  beside: list(z.object({ name: z.string(), ...at })).exactOptional(),
  missing: list(z.object({ name: z.string(), why: z.string() })).exactOptional(),
});

/** Keeps the schema of a tool unchanged, key order included: the prefix is stable byte for byte (BED-017). */
const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const toolSpecs = list(
  z.object({ name: z.string(), description: z.string(), inputSchema: jsonObject }),
);

/** The columns of a claim that no query uses. */
export const claimBody = z.object({
  speaker,
  text: z.string(),
  own: own.exactOptional(),
  images: imageRefs,
  source: z.string().exactOptional(),
  model: z.string().exactOptional(),
  quoted: quoted.exactOptional(),
});

export const claimOutcome = z.discriminatedUnion("kind", [
  kind("accepted", {}),
  kind("refused", { why: z.enum(REFUSALS) }),
]);
