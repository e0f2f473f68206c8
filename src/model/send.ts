/**
 * Sends a request with its pictures. One that the provider refuses stands in the history, so every later request would
 * be refused for it: it is told in words from then on, and the conversation goes on.
 */

import type Anthropic from "@anthropic-ai/sdk";
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { Log } from "../ports/host.ts";
import type { ModelRequest } from "../ports/model.ts";
import { isOfPictures, oldestOf, sentPictures } from "./drop-pictures.ts";
import type { Pictures } from "./images.ts";
import type { MessageCache } from "./message-cache.ts";
import { type RequestDeps, requestParams } from "./request.ts";
import { complaintOf } from "./sdk-errors.ts";

/** The response's head; throws what the SDK throws. */
export type Send = (request: ModelRequest, signal: AbortSignal) => Promise<Response>;

interface SendOptions extends Pick<RequestDeps, "model" | "blobs" | "maxTokens"> {
  readonly log: Log;
  /** Whether the SDK threw this because the request is too large. */
  readonly isTooLarge: (error: unknown) => boolean;
}

/** Requests after which the oldest pictures are left out, and not those that the provider names. */
const PATIENCE = 3;

export const createSend = (client: Anthropic, options: SendOptions): Send => {
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
        options.log.warn("the provider refuses pictures; they are left out", {
          model,
          pictures: blamed.length,
        });
      }
    }
  };
};

/** Each was sent, so every further request holds fewer. The oldest are blamed if the complaint names none. */
const blamedFor = (
  complaint: string | null,
  { messages }: MessageCreateParamsStreaming,
  pictures: Pictures,
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

/** As in `messages.2.content.0.tool_result.content.1.image.source.base64`. */
const PLACE = /messages\.(\d+)\.content\.(\d+)(?:\.(?:tool_result\.)?content\.(\d+))?/g;

const sourcesAt = (block: ContentBlockParam | string | undefined, inner: string | undefined): unknown[] => {
  if (typeof block !== "object") return [];
  if (block.type === "image") return [block.source];
  if (block.type !== "tool_result" || typeof block.content !== "object") return [];
  const held = inner === undefined ? block.content : block.content.slice(Number(inner), Number(inner) + 1);
  return held.flatMap((one) => (one.type === "image" ? [one.source] : []));
};
