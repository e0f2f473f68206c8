/** The JSON of a tool's input stays text until the end, so that cut or invalid input is detected. */

import type { WireBlock, WireEvent, WireUsage } from "./stream-events.ts";

export type ResponsePart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      /** Value from `content_block_start`; used only if no delta arrived. */
      readonly input: unknown;
      readonly json: string;
    }
  | { readonly kind: "opaque"; readonly raw: WireBlock; readonly json: string };

export interface ReceivedResponse {
  readonly parts: readonly ResponsePart[];
  readonly stopReason: string | null;
  readonly usage: WireUsage;
}

export interface ResponseDraft {
  /** Returns the text that the event adds; empty for all other events. */
  take(event: WireEvent): string;
  /** Null until `message_stop`. */
  received(): ReceivedResponse | null;
  /** Content and usage at an early end; null before the provider sent anything. */
  broken(): Pick<ReceivedResponse, "parts" | "usage"> | null;
}

export const createDraft = (): ResponseDraft => {
  const parts = new Map<number, ResponsePart>();
  let stopReason: string | null = null;
  let usage: WireUsage = {};
  let begun = false;
  let complete = false;

  const take = (event: WireEvent): string => {
    switch (event.type) {
      case "message_start":
        begun = true;
        usage = later(usage, event.message.usage);
        return "";
      case "content_block_start": {
        const part = opened(event.content_block);
        parts.set(event.index, part);
        return part.kind === "text" ? part.text : "";
      }
      case "content_block_delta": {
        const part = parts.get(event.index);
        if (part !== undefined) parts.set(event.index, grown(part, event.delta));
        return part?.kind === "text" && event.delta.type === "text_delta" ? event.delta.text : "";
      }
      case "message_delta":
        stopReason = event.delta.stop_reason ?? stopReason;
        usage = later(usage, event.usage);
        return "";
      case "message_stop":
        complete = true;
        return "";
      case "content_block_stop":
      case "error":
        return "";
    }
  };

  return {
    take,
    received: () => (complete ? { parts: inOrder(parts), stopReason, usage } : null),
    broken: () => (begun ? { parts: inOrder(parts), usage } : null),
  };
};

const opened = (block: WireBlock): ResponsePart => {
  const { type } = block;
  const { text, id, name, input } = block;
  if (type === "text") return { kind: "text", text: typeof text === "string" ? text : "" };
  if (type === "tool_use" && typeof id === "string" && typeof name === "string") {
    return { kind: "tool", id, name, input, json: "" };
  }
  return { kind: "opaque", raw: block, json: "" };
};

type Delta = Extract<WireEvent, { type: "content_block_delta" }>["delta"];

const grown = (part: ResponsePart, delta: Delta): ResponsePart => {
  switch (delta.type) {
    case "text_delta":
      return part.kind === "text" ? { ...part, text: part.text + delta.text } : part;
    case "input_json_delta":
      return part.kind === "text" ? part : { ...part, json: part.json + delta.partial_json };
    case "thinking_delta":
      return appended(part, "thinking", delta.thinking);
    case "signature_delta":
      return appended(part, "signature", delta.signature);
    case "other":
      return part;
  }
};

const appended = (part: ResponsePart, field: "thinking" | "signature", more: string): ResponsePart => {
  if (part.kind !== "opaque") return part;
  const before = part.raw[field];
  return { ...part, raw: { ...part.raw, [field]: (typeof before === "string" ? before : "") + more } };
};

/** Counts are cumulative: a later value replaces an earlier value, and an absent value does not. */
const later = (before: WireUsage, after: WireUsage | null | undefined): WireUsage => ({
  input_tokens: after?.input_tokens ?? before.input_tokens,
  output_tokens: after?.output_tokens ?? before.output_tokens,
  cache_creation_input_tokens: after?.cache_creation_input_tokens ?? before.cache_creation_input_tokens,
  cache_read_input_tokens: after?.cache_read_input_tokens ?? before.cache_read_input_tokens,
});

const inOrder = (parts: ReadonlyMap<number, ResponsePart>): readonly ResponsePart[] =>
  [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
