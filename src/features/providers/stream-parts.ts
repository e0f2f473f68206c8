/**
 * Converts a stream of the language-model interface to the events of a draft. Thoughts and signatures for the provider become
 * kept parts before the block that they belong to.
 */

import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import {
  countOf,
  type ParsedEvent,
  type WireBlock,
  type WireEvent,
  type WireUsage,
} from "../../model/stream-events.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { OPAQUE_PART } from "../../model/messages.ts";
import type { OpaquePart } from "./opaque-part.ts";
import type { Splice } from "./splice.ts";

/** Thrown if the provider ends an answer without a reason. */
export class CutStream extends Error {}

/** `by`: model that the kept parts belong to. `splice`: absent if the SDK's `fetch` detects a second answer by id. */
export const eventsOf = async function* (
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  by: string,
  splice?: Splice,
): AsyncGenerator<ParsedEvent> {
  const reader = createReader(by);
  const isOfAnother = splice?.();
  let isBegun = false;
  for await (const part of stream) {
    if (!isBegun && !SILENT.has(part.type)) {
      isBegun = true;
      yield { type: "message_start", message: {} };
    }
    if (part.type === "raw" && isOfAnother?.(part.rawValue) === true) yield { type: "spliced" };
    yield* reader(part);
  }
};

/** Parts that can arrive before the model has produced anything. */
const SILENT: ReadonlySet<LanguageModelV4StreamPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "ping",
  "raw",
  "error",
]);

type Part<T extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { type: T }>;

/** Blocks have odd numbers, so that a kept part of a block can have the even number before the block. */
const createReader = (by: string): ((part: LanguageModelV4StreamPart) => Iterable<ParsedEvent>) => {
  const places = new Map<string, number>();
  const thoughts = new Map<string, string>();
  let calls = 0;
  let answer: string | undefined;
  let blocks = 0;

  const place = (kind: "text" | "thought" | "call", id: string): number => {
    const key = `${kind} ${id}`;
    const found = places.get(key);
    if (found !== undefined) return found;
    blocks += 1;
    places.set(key, 2 * blocks + 1);
    return 2 * blocks + 1;
  };
  /** The same id may start a new block; the earlier block stays. */
  const anew = (kind: "text" | "thought" | "call", id: string): number => {
    places.delete(`${kind} ${id}`);
    return place(kind, id);
  };
  const kept = (index: number, part: Pick<OpaquePart, "thinking" | "call" | "options">): WireEvent => {
    return begun(index, { type: OPAQUE_PART, by, ...part });
  };
  const signed = (
    index: number,
    options: SharedV4ProviderMetadata | undefined,
    call?: string,
  ): WireEvent[] => (options === undefined ? [] : [kept(index - 1, { options, ...omitUndefined({ call }) })]);

  /** The complete call, even if its input was streamed before. */
  const call = function* ({
    toolCallId: id,
    toolName: name,
    input,
    providerMetadata,
  }: Part<"tool-call">): Iterable<ParsedEvent> {
    calls += 1;
    const index = place("call", id);
    yield begun(index, { type: "tool_use", id, name, input: {} });
    yield grown(index, { type: "input_json_delta", partial_json: input });
    yield* signed(index, providerMetadata, id);
    places.delete(`call ${id}`);
  };

  const finish = function* ({
    usage,
    finishReason,
    providerMetadata,
  }: Part<"finish">): Iterable<ParsedEvent> {
    const { unified, raw } = finishReason;
    if (isBlocked(providerMetadata)) {
      yield ended("refusal", usage);
    } else if (
      unified === "error" ||
      unified === "interrupted" ||
      (unified === "other" && raw === undefined)
    ) {
      throw new CutStream(unified);
    } else {
      yield ended(unified === "stop" && calls > 0 ? "tool_use" : STOPS[unified], usage);
    }
    yield { type: "message_stop" };
  };

  return function* (part): Iterable<ParsedEvent> {
    switch (part.type) {
      case "text-start": {
        const index = anew("text", part.id);
        yield begun(index, { type: "text", text: "" });
        yield* signed(index, part.providerMetadata);
        return;
      }
      case "text-delta": {
        const index = place("text", part.id);
        yield grown(index, { type: "text_delta", text: part.delta });
        yield* signed(index, part.providerMetadata);
        return;
      }
      case "text-end":
        yield* signed(place("text", part.id), part.providerMetadata);
        return;
      case "reasoning-start":
        thoughts.set(part.id, "");
        yield kept(anew("thought", part.id), {
          thinking: "",
          ...omitUndefined({ options: part.providerMetadata }),
        });
        return;
      case "reasoning-delta":
      case "reasoning-end": {
        const thinking = (thoughts.get(part.id) ?? "") + (part.type === "reasoning-delta" ? part.delta : "");
        thoughts.set(part.id, thinking);
        const index = place("thought", part.id);
        if (part.providerMetadata !== undefined)
          yield kept(index, { thinking, options: part.providerMetadata });
        else if (part.type === "reasoning-delta")
          yield grown(index, { type: "thinking_delta", thinking: part.delta });
        return;
      }
      case "tool-input-start":
        yield begun(anew("call", part.id), { type: "tool_use", id: part.id, name: part.toolName, input: {} });
        return;
      case "tool-input-delta":
        yield grown(place("call", part.id), { type: "input_json_delta", partial_json: part.delta });
        return;
      case "tool-call":
        yield* call(part);
        return;
      case "finish":
        yield* finish(part);
        return;
      case "error":
        yield { type: "error", error: part.error };
        return;
      case "response-metadata": {
        const isSpliced = answer !== undefined && part.id !== undefined && part.id !== answer;
        answer ??= part.id;
        yield isSpliced ? { type: "spliced" } : { type: "other" };
        return;
      }
      case "stream-start":
      case "ping":
      case "raw":
      case "tool-input-end":
      case "tool-approval-request":
      case "tool-result":
      case "custom":
      case "file":
      case "reasoning-file":
      case "source":
        yield { type: "other" };
    }
  };
};

const begun = (index: number, block: WireBlock): WireEvent => ({
  type: "content_block_start",
  index,
  content_block: block,
});

const grown = (
  index: number,
  delta: Extract<WireEvent, { type: "content_block_delta" }>["delta"],
): WireEvent => ({ type: "content_block_delta", index, delta });

const STOPS = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
  other: "end_turn",
} as const;

const ended = (reason: string, { inputTokens, outputTokens }: Part<"finish">["usage"]): WireEvent => {
  const cached = (inputTokens.cacheRead ?? 0) + (inputTokens.cacheWrite ?? 0);
  const { total } = inputTokens;
  const fresh = inputTokens.noCache ?? (total === undefined ? undefined : total - cached);
  const usage: WireUsage = {
    input_tokens: countOf(fresh),
    output_tokens: countOf(outputTokens.total),
    cache_read_input_tokens: countOf(inputTokens.cacheRead),
    cache_creation_input_tokens: countOf(inputTokens.cacheWrite),
  };
  return { type: "message_delta", delta: { stop_reason: reason }, usage };
};

/** Gemini answers a blocked question with only this metadata. */
const isBlocked = (metadata: SharedV4ProviderMetadata | undefined): boolean =>
  Object.values(metadata ?? {}).some(({ promptFeedback }) => {
    return typeof promptFeedback === "object" && promptFeedback !== null && "blockReason" in promptFeedback;
  });
