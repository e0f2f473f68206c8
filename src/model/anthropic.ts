/**
 * The Messages API, or any server that speaks it. The SDK's own retries are off, because retry belongs to the core
 * (BED-006).
 */

import Anthropic from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/streaming";
import type { Millis } from "../machine/id.ts";
import type { Log } from "../ports/host.ts";
import type { Blobs } from "../ports/store.ts";
import type { Wire } from "./attempt.ts";
import type { FailureContext } from "./failure.ts";
import { isThought } from "./messages.ts";
import type { ConfiguredModel } from "./models.ts";
import { eventFailure, thrownFacts, thrownFailure } from "./sdk-errors.ts";
import { createSend } from "./send.ts";
import { sendOnce } from "./send-once.ts";
import { type Parsed, parseEvent } from "./stream-events.ts";

export interface WireDeps {
  readonly context: FailureContext;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  /** Upper bound of one response in tokens. */
  readonly maxTokens: number;
}

/** The SDK's own timeout stays behind the watchdog. */
const SDK_TIMEOUT: Millis = 3_600_000;

export const anthropicWire = (model: ConfiguredModel, deps: WireDeps): Wire => {
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

const eventsOf = async function* (response: Response, by: string): AsyncGenerator<Parsed> {
  const isSpliced = createSpliceCheck();
  for await (const { data } of Stream.rawEvents(response)) {
    const event = parseEvent(data);
    yield isSpliced(event) ? { type: "spliced" } : signed(event, by);
  }
};

/** Gateways that ask again by themselves may send the second answer after part of the first, block over block. */
const createSpliceCheck = (): ((event: Parsed) => boolean) => {
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

/** A thought goes back to the model that had it, and to no other. */
const signed = (event: Parsed, by: string): Parsed =>
  event.type === "content_block_start" && isThought(event.content_block)
    ? { ...event, content_block: { ...event.content_block, by } }
    : event;
