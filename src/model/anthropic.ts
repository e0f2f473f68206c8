/** The Messages API, or any compatible server. The SDK's retries are off, because the core controls retries (BED-006). */

import Anthropic from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/streaming";
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { Millis } from "../machine/id.ts";
import type { Log } from "../ports/host.ts";
import type { ProviderClient } from "./attempt.ts";
import { isThought } from "./messages.ts";
import type { ConfiguredModel, WireDeps } from "./provider.ts";
import { complaintOf, eventFailure, thrownFacts, thrownFailure } from "./sdk-errors.ts";
import { sendOnce } from "./send-once.ts";
import { type ParsedEvent, parseEvent } from "./stream-events.ts";
import type { ModelRequest } from "../ports/model.ts";
import { isOfPictures, oldestOf, sentPictures } from "./drop-pictures.ts";
import type { LoadedPictures } from "./images.ts";
import type { MessageCache } from "./message-cache.ts";
import { type RequestDeps, requestParams } from "./request.ts";

/** Longer than the watchdog's limit, which must act first. */
const SDK_TIMEOUT: Millis = 3_600_000;

export const anthropicWire = (model: ConfiguredModel, deps: WireDeps): ProviderClient => {
  const client = new Anthropic({
    apiKey: model.key,
    baseURL: model.address,
    maxRetries: 0,
    timeout: SDK_TIMEOUT,
    logLevel: "off",
    openTelemetry: false,
    fetch: sendOnce,
  });
  const isTooLarge = (error: unknown): boolean => thrownFailure(error, deps.context, 0).kind === "context";
  const send = createSend(client, { model, ...deps, isTooLarge });
  return {
    open: async (request, signal) => eventsOf(await send(request, signal), model.name),
    thrown: (error, now) => thrownFailure(error, deps.context, now),
    told: (error) => eventFailure(error, deps.context),
    facts: thrownFacts,
  };
};

const eventsOf = async function* (response: Response, by: string): AsyncGenerator<ParsedEvent> {
  const isSpliced = createSpliceCheck();
  for await (const { data } of Stream.rawEvents(response)) {
    const event = parseEvent(data);
    yield isSpliced(event) ? { type: "spliced" } : signed(event, by);
  }
};

/** Gateways with automatic retries may send a second answer after part of the first, block over block. */
const createSpliceCheck = (): ((event: ParsedEvent) => boolean) => {
  const blocks = new Set<number>();
  let answer: { readonly id: string | null } | null = null;
  return (event) => {
    if (event.type === "message_start") {
      const { id = null } = event.message;
      const before = answer;
      answer = { id };
      return before !== null && (before.id !== id || (id === null && blocks.size > 0));
    }
    if (event.type !== "content_block_start") return false;
    const isAgain = blocks.has(event.index);
    blocks.add(event.index);
    return isAgain;
  };
};

/** A thought may be returned only to the model that made it. */
const signed = (event: ParsedEvent, by: string): ParsedEvent =>
  event.type === "content_block_start" && isThought(event.content_block)
    ? { ...event, content_block: { ...event.content_block, by } }
    : event;

type Send = (request: ModelRequest, signal: AbortSignal) => Promise<Response>;

interface SendOptions extends Pick<RequestDeps, "model" | "blobs" | "maxTokens"> {
  readonly log: Log;
  readonly isTooLarge: (error: unknown) => boolean;
}

/** From this number of requests on, the oldest pictures are left out, even if the provider names others. */
const PATIENCE = 3;

/** A refused picture stays in the history and would fail every later request, so a text replaces such a picture. */
const createSend = (client: Anthropic, options: SendOptions): Send => {
  const made: MessageCache = new WeakMap();
  const refused = new Set<string>();

  return async (request, signal) => {
    for (let sent = 1; ; sent += 1) {
      const isRefused = (hash: string): boolean => refused.has(hash);
      const { params, pictures } = await requestParams(request, { ...options, made, isRefused });
      try {
        return await client.messages.create(params, { signal }).asResponse();
      } catch (error) {
        const blamed = options.isTooLarge(error)
          ? oldestOf(sentPictures(pictures), sent)
          : blamedFor(complaintOf(error), params, pictures, sent);
        if (blamed.length === 0) throw error;
        for (const hash of blamed) refused.add(hash);
        const { model } = request;
        options.log.warn("model: pictures refused by the provider, omitted", {
          model,
          pictures: blamed.length,
        });
      }
    }
  };
};

/** Each request has fewer pictures than the last request. If the complaint names no picture, the oldest are blamed. */
const blamedFor = (
  complaint: string | null,
  { messages }: MessageCreateParamsStreaming,
  pictures: LoadedPictures,
  requests: number,
): readonly string[] => {
  if (complaint === null || !isOfPictures(complaint)) return [];
  const sent = [...pictures].filter(([, source]) => source !== "refused");
  const sources = [...complaint.matchAll(PLACE)].flatMap(([, message, block, inner]) =>
    sourcesAt(messages[Number(message)]?.content[Number(block)], inner),
  );
  const named = sent.filter(([, source]) => sources.includes(source));
  return requests < PATIENCE && named.length > 0
    ? named.map(([hash]) => hash)
    : oldestOf(sentPictures(pictures), requests);
};

/** Such as `messages.2.content.0.tool_result.content.1.image.source.base64`. */
const PLACE = /messages\.(\d+)\.content\.(\d+)(?:\.(?:tool_result\.)?content\.(\d+))?/g;

const sourcesAt = (block: ContentBlockParam | string | undefined, inner: string | undefined): unknown[] => {
  if (typeof block !== "object") return [];
  if (block.type === "image") return [block.source];
  if (block.type !== "tool_result" || typeof block.content !== "object") return [];
  const held = inner === undefined ? block.content : block.content.slice(Number(inner), Number(inner) + 1);
  return held.flatMap((one) => (one.type === "image" ? [one.source] : []));
};
