/** What a scripted answer says, as data: it is written in tests and also sent as JSON to a fake of its own process. */

import type { Message, StopReason } from "@anthropic-ai/sdk/resources/messages/messages";
import { z } from "zod";

const gateRef = z.object({ gate: z.string() });

/** Text in deltas: a string is cut into deltas of `chunk` code points, a list is sent piece by piece around its gates. */
const stream = z.union([z.string(), z.array(z.union([z.string(), gateRef])).readonly()]);

const pieceSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: stream, chunk: z.int().positive().optional() }),
  z.object({ kind: z.literal("thinking"), thinking: stream, chunk: z.int().positive().optional() }),
  z.object({ kind: z.literal("redacted"), data: z.string() }),
  z.object({
    kind: z.literal("tool"),
    name: z.string(),
    input: z.record(z.string(), z.json()),
    /** Unset: one that no other answer of this fake has. */
    id: z.string().optional(),
    /** Sent in place of the JSON of `input`: for JSON that is cut off or arrives around gates. */
    json: stream.optional(),
    chunk: z.int().positive().optional(),
  }),
  z.object({ kind: z.literal("wait"), gate: z.string() }),
]);

const stopReasons = [
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
] as const satisfies readonly StopReason[];

const usageSchema = z.object({
  input_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  cache_creation_input_tokens: z.int().optional(),
  cache_read_input_tokens: z.int().optional(),
});

export const turnSchema = z.object({
  content: z.array(pieceSchema).readonly(),
  /** Unset: `tool_use` if a tool is called, else `end_turn`. */
  stop: z.enum(stopReasons).optional(),
  stopSequence: z.string().optional(),
  refusal: z
    .object({
      category: z.enum(["cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"]).nullable(),
      explanation: z.string().nullable(),
    })
    .optional(),
  /** Replaces the counted tokens. */
  usage: usageSchema.optional(),
  /** Held back, status line and all, until this gate opens. */
  hold: gateRef.optional(),
});

export type Piece = Readonly<z.infer<typeof pieceSchema>>;
export type Turn = Readonly<z.infer<typeof turnSchema>>;
export type TextStream = Readonly<z.infer<typeof stream>>;

/** An answer of one text. */
export const say = (text: TextStream, chunk?: number): Turn => ({
  content: [{ kind: "text", text, ...(chunk === undefined ? {} : { chunk }) }],
});

/** An answer that calls one tool. */
export const call = (name: string, input: Extract<Piece, { kind: "tool" }>["input"], id?: string): Turn => ({
  content: [{ kind: "tool", name, input, ...(id === undefined ? {} : { id }) }],
});

/** A tool call whose JSON is cut off by `max_tokens`. */
export const cutToolCall = (name: string, partialJson: string): Turn => ({
  content: [{ kind: "tool", name, input: {}, json: partialJson }],
  stop: "max_tokens",
});

export const refusal = (text: string): Turn => ({
  content: text === "" ? [] : [{ kind: "text", text }],
  stop: "refusal",
  refusal: { category: "cyber", explanation: "declined by policy" },
});

/** A long turn that the API interrupted; its content sent back as it is continues it. */
export const paused = (text: string): Turn => ({ ...say(text), stop: "pause_turn" });

export const windowExceeded = (text: string): Turn => ({
  ...say(text),
  stop: "model_context_window_exceeded",
});

/** Nothing at all, and the turn is over. */
export const nothing: Turn = { content: [], stop: "end_turn" };

/** Why the answer stops, decided where the script does not say. */
export const stopOf = (turn: Turn): NonNullable<Message["stop_reason"]> =>
  turn.stop ?? (turn.content.some((piece) => piece.kind === "tool") ? "tool_use" : "end_turn");

/** The parts of a stream in the order they are sent. */
export const partsOf = (
  text: TextStream,
  chunk: number | undefined,
): readonly (string | { readonly gate: string })[] =>
  typeof text === "string" ? chunksOf(text, chunk ?? 24) : text;

/** The whole text of a stream. */
export const textOf = (text: TextStream): string =>
  typeof text === "string" ? text : text.filter((part) => typeof part === "string").join("");

const chunksOf = (text: string, size: number): readonly string[] => {
  const points = Array.from(text);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(""),
  );
};
