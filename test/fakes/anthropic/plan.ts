/** A turn as the steps of its answer: bytes to send and gates to wait at. Pure, and checked against the SDK's own types. */

import type {
  ContentBlock,
  Message,
  MessageDeltaUsage,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  Usage,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { mustFit } from "../shared/complaint.ts";
import type { CacheUsage } from "./cache.ts";
import { tokensOf } from "./prefix.ts";
import type { WireSchema } from "./schema.ts";
import { signatureOf } from "./signature.ts";
import { type Piece, partsOf, stopOf, type Turn, textOf } from "./turn.ts";

export type Step =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly isDelta: boolean }
  | { readonly kind: "gate"; readonly gate: string }
  /** An orderly end of the body. Also what happens after the last step. */
  | { readonly kind: "end" }
  /** The socket is closed. */
  | { readonly kind: "cut" }
  /** Nothing more, and the connection stays open. */
  | { readonly kind: "stall" }
  /** The bytes again and again, and nothing else. */
  | { readonly kind: "pulse"; readonly bytes: Uint8Array; readonly everyMs: number };

export interface PlanContext {
  readonly schema: WireSchema;
  readonly messageId: string;
  readonly toolId: () => string;
  readonly model: string;
  readonly usage: CacheUsage;
}

/** The answer to `stream: true`. */
export const streamSteps = (turn: Turn, context: PlanContext): readonly Step[] => {
  const usage = usageOf(turn, context);
  const step = (event: RawMessageStreamEvent): Step => eventStep(event, context.schema);
  return [
    step({
      type: "message_start",
      message: {
        ...emptyMessage(context),
        usage: { ...usage, output_tokens: 1, output_tokens_details: null },
      },
    }),
    ...turn.content.flatMap((piece, at): readonly Step[] =>
      piece.kind === "wait"
        ? [{ kind: "gate", gate: piece.gate }]
        : blockSteps(piece, at - waits(turn.content.slice(0, at)), context, step),
    ),
    step({
      type: "message_delta",
      delta: {
        container: null,
        stop_reason: stopOf(turn),
        stop_sequence: turn.stopSequence ?? null,
        stop_details: stopDetails(turn),
      },
      usage: deltaUsage(usage),
    }),
    step({ type: "message_stop" }),
  ];
};

const waits = (pieces: readonly Piece[]): number => pieces.filter(({ kind }) => kind === "wait").length;

/** The answer without `stream`: all gates first, then the body in two halves, of which the first counts as a delta. */
export const jsonSteps = (turn: Turn, context: PlanContext): readonly Step[] => {
  const message: Message = {
    ...emptyMessage(context),
    content: turn.content.flatMap((piece) => (piece.kind === "wait" ? [] : [wholeBlock(piece, context)])),
    stop_reason: stopOf(turn),
    stop_sequence: turn.stopSequence ?? null,
    stop_details: stopDetails(turn),
    usage: usageOf(turn, context),
  };
  mustFit(context.schema.Message, message);
  const bytes = Buffer.from(JSON.stringify(message));
  const half = Math.floor(bytes.length / 2);
  return [
    ...turn.content.flatMap(gatesOf),
    { kind: "bytes", bytes: bytes.subarray(0, half), isDelta: true },
    { kind: "bytes", bytes: bytes.subarray(half), isDelta: false },
  ];
};

/** One server-sent event. */
export const sseBytes = (name: string, data: unknown): Uint8Array =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

type Block = Exclude<Piece, { kind: "wait" }>;

const eventStep = (event: RawMessageStreamEvent, schema: WireSchema): Step => {
  mustFit(schema.RawMessageStreamEvent, event);
  const isDelta =
    event.type === "content_block_delta" &&
    !(event.delta.type === "input_json_delta" && event.delta.partial_json === "");
  return { kind: "bytes", bytes: sseBytes(event.type, event), isDelta };
};

const blockSteps = (
  piece: Block,
  index: number,
  context: PlanContext,
  step: (event: RawMessageStreamEvent) => Step,
): readonly Step[] => {
  const delta = (one: RawContentBlockDelta): Step => step({ type: "content_block_delta", index, delta: one });
  const deltas = (
    parts: ReturnType<typeof partsOf>,
    make: (text: string) => RawContentBlockDelta,
  ): readonly Step[] =>
    parts.map((part) => (typeof part === "string" ? delta(make(part)) : { kind: "gate", gate: part.gate }));
  const framed = (start: ContentBlock, inner: readonly Step[]): readonly Step[] => [
    step({ type: "content_block_start", index, content_block: start }),
    ...inner,
    step({ type: "content_block_stop", index }),
  ];

  switch (piece.kind) {
    case "text":
      return framed(
        { type: "text", text: "", citations: null },
        deltas(partsOf(piece.text, piece.chunk), (text) => ({ type: "text_delta", text })),
      );
    case "thinking":
      return framed({ type: "thinking", thinking: "", signature: "" }, [
        ...deltas(partsOf(piece.thinking, piece.chunk), (thinking) => ({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: signatureOf(textOf(piece.thinking)) }),
      ]);
    case "redacted":
      return framed({ type: "redacted_thinking", data: piece.data }, []);
    case "tool":
      return framed(toolBlock(piece, {}, context), [
        delta({ type: "input_json_delta", partial_json: "" }),
        ...deltas(partsOf(piece.json ?? JSON.stringify(piece.input), piece.chunk), (partial_json) => ({
          type: "input_json_delta",
          partial_json,
        })),
      ]);
  }
};

const wholeBlock = (piece: Block, context: PlanContext): ContentBlock => {
  switch (piece.kind) {
    case "text":
      return { type: "text", text: textOf(piece.text), citations: null };
    case "thinking": {
      const thinking = textOf(piece.thinking);
      return { type: "thinking", thinking, signature: signatureOf(thinking) };
    }
    case "redacted":
      return { type: "redacted_thinking", data: piece.data };
    case "tool":
      return toolBlock(piece, piece.input, context);
  }
};

const toolBlock = (
  piece: Extract<Piece, { kind: "tool" }>,
  input: unknown,
  context: PlanContext,
): ContentBlock => ({
  type: "tool_use",
  id: piece.id ?? context.toolId(),
  name: piece.name,
  input,
  caller: { type: "direct" },
});

const gatesOf = (piece: Piece): readonly Step[] => {
  switch (piece.kind) {
    case "wait":
      return [{ kind: "gate", gate: piece.gate }];
    case "text":
      return gatesIn(partsOf(piece.text, piece.chunk));
    case "thinking":
      return gatesIn(partsOf(piece.thinking, piece.chunk));
    case "tool":
      return gatesIn(partsOf(piece.json ?? "", piece.chunk));
    case "redacted":
      return [];
  }
};

const gatesIn = (parts: ReturnType<typeof partsOf>): readonly Step[] =>
  parts.flatMap((part) => (typeof part === "string" ? [] : [{ kind: "gate", gate: part.gate }]));

const emptyMessage = (context: PlanContext): Omit<Message, "usage"> => ({
  id: context.messageId,
  type: "message",
  role: "assistant",
  model: context.model,
  content: [],
  container: null,
  diagnostics: null,
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
});

const stopDetails = (turn: Turn): Message["stop_details"] =>
  turn.refusal === undefined ? null : { type: "refusal", ...turn.refusal };

const usageOf = (turn: Turn, { usage }: PlanContext): Usage => {
  const thought = turn.content.reduce(
    (sum, piece) => sum + (piece.kind === "thinking" ? tokensOf(textOf(piece.thinking)) : 0),
    0,
  );
  const written = turn.content.reduce((sum, piece) => sum + outputTokens(piece), 0);
  return {
    input_tokens: turn.usage?.input_tokens ?? usage.input,
    output_tokens: turn.usage?.output_tokens ?? Math.max(1, written),
    cache_creation_input_tokens: turn.usage?.cache_creation_input_tokens ?? usage.write5m + usage.write1h,
    cache_read_input_tokens: turn.usage?.cache_read_input_tokens ?? usage.read,
    cache_creation: { ephemeral_5m_input_tokens: usage.write5m, ephemeral_1h_input_tokens: usage.write1h },
    output_tokens_details: { thinking_tokens: thought },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: "standard",
  };
};

const outputTokens = (piece: Piece): number => {
  switch (piece.kind) {
    case "wait":
      return 0;
    case "text":
      return tokensOf(textOf(piece.text));
    case "thinking":
      return tokensOf(textOf(piece.thinking));
    case "redacted":
      return tokensOf(piece.data);
    case "tool":
      return tokensOf(piece.name) + tokensOf(textOf(piece.json ?? JSON.stringify(piece.input)));
  }
};

const deltaUsage = (usage: Usage): MessageDeltaUsage => ({
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
  cache_creation_input_tokens: usage.cache_creation_input_tokens,
  cache_read_input_tokens: usage.cache_read_input_tokens,
  output_tokens_details: usage.output_tokens_details,
  server_tool_use: usage.server_tool_use,
});
