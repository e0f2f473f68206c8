/** The events of a streamed answer as they stand on the wire, parsed once and only as far as they are used. */

import { z } from "zod";
import { isRecord, jsonIn } from "../text/json.ts";

/** No model takes or writes as many: what a server counts above it is not believed. */
const MOST_TOKENS = 2_000_000;

/** Whatever a server counts, whole and in bounds: it is added up, priced and stored. */
export const countOf = (count: unknown): number | undefined =>
  typeof count === "number" && !Number.isNaN(count)
    ? Math.min(MOST_TOKENS, Math.max(0, Math.round(count)))
    : undefined;

const tokens = z.unknown().transform(countOf).optional();

const usage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
});

const block = z.looseObject({ type: z.string() });

/** Some gateways send the input itself in place of its JSON. */
const jsonText = (sent: unknown): string => (typeof sent === "string" ? sent : (JSON.stringify(sent) ?? ""));

const delta = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text_delta"), text: z.string() }),
    z.object({ type: z.literal("input_json_delta"), partial_json: z.unknown().transform(jsonText) }),
    z.object({ type: z.literal("thinking_delta"), thinking: z.string() }),
    z.object({ type: z.literal("signature_delta"), signature: z.string() }),
  ])
  .or(z.object({ type: z.string() }).transform(() => ({ type: "other" }) as const));

const event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message_start"),
    message: z.object({ id: z.string().nullish().catch(null), usage: usage.nullish() }),
  }),
  z.object({ type: z.literal("content_block_start"), index: z.int(), content_block: block }),
  z.object({ type: z.literal("content_block_delta"), index: z.int(), delta }),
  z.object({ type: z.literal("content_block_stop"), index: z.int() }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: usage.nullish(),
  }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("error"), error: z.unknown() }),
]);

const named = z.object({ type: z.string() });
const KNOWN: ReadonlySet<string> = new Set(event.options.map((option) => option.shape.type.value));

export type WireUsage = z.infer<typeof usage>;
export type WireBlock = z.infer<typeof block>;
export type WireEvent = z.infer<typeof event>;

/** Some gateways end the stream as OpenAI does. */
const DONE = "[DONE]";

/** `other`: a ping, an event without data, or a kind that did not exist when this was written. `malformed`: not to be understood. */
export type ParsedEvent =
  | WireEvent
  | { readonly type: "other" }
  | { readonly type: "malformed" }
  /** Another answer begins within this one. */
  | { readonly type: "spliced" };

export const parseEvent = (data: string): ParsedEvent => {
  const bare = data.length > DONE.length + 2 ? data : data.trim();
  if (bare === "" || bare === DONE) return { type: "other" };
  const json = jsonIn(data);
  const text = moreText(json);
  if (text !== null) return text;
  const parsed = event.safeParse(json);
  if (parsed.success) return parsed.data;
  const other = named.safeParse(json);
  return other.success && !KNOWN.has(other.data.type) ? { type: "other" } : { type: "malformed" };
};

/** All but a few events of an answer are this one: looked at by hand it costs a fifth. Null for any other. */
const moreText = (json: unknown): WireEvent | null => {
  if (!isRecord(json) || json["type"] !== "content_block_delta") return null;
  const { index, delta: more } = json;
  if (typeof index !== "number" || !Number.isSafeInteger(index)) return null;
  if (!isRecord(more) || more["type"] !== "text_delta" || typeof more["text"] !== "string") return null;
  return { type: "content_block_delta", index, delta: { type: "text_delta", text: more["text"] } };
};
