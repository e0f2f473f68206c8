import * as z from "zod";
import { REFUSALS } from "../../machine/refusal.ts";
import { conversationIdSchema, kindSchema, listSchema, personIdSchema } from "./id.ts";
import { attachedFilesSchema, imageRefsSchema, ownPartSchema } from "./prompt.ts";
import { quotedSchema, speakerSchema } from "./vocabulary.ts";

const alone = z.object({
  kind: z.enum(["path", "url"]),
  location: z.string(),
  ref: z.string().exactOptional(),
});

export const repoSchema = alone.extend({
  name: z.string().exactOptional(),
  beside: listSchema(alone.extend({ name: z.string() })).exactOptional(),
});

export const conversationOriginSchema = z.object({
  conversation: conversationIdSchema,
  why: z.enum(["branch", "continuation"]),
});

export const instructionsSchema = z.object({ text: z.string(), by: personIdSchema, at: z.number() });

const at = { commit: z.string(), ref: z.string() };

export const baseSchema = z.object({
  ...at,
  cwd: z.string(),
  name: z.string().exactOptional(),
  beside: listSchema(z.object({ name: z.string(), ...at })).exactOptional(),
  missing: listSchema(z.object({ name: z.string(), why: z.string() })).exactOptional(),
});

/** Keeps the schema of a tool unchanged, key order included: the prefix is stable byte for byte (BED-017). */
const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const toolSpecsSchema = listSchema(
  z.object({ name: z.string(), description: z.string(), inputSchema: jsonObject }),
);

/** The columns of a claim that no query uses. */
export const claimBodySchema = z.object({
  speaker: speakerSchema,
  text: z.string(),
  own: ownPartSchema.exactOptional(),
  images: imageRefsSchema,
  files: attachedFilesSchema.exactOptional(),
  source: z.string().exactOptional(),
  model: z.string().exactOptional(),
  quoted: quotedSchema.exactOptional(),
});

export const claimOutcomeSchema = z.discriminatedUnion("kind", [
  kindSchema("accepted", {}),
  kindSchema("refused", { why: z.enum(REFUSALS) }),
]);
