/**
 * The model behind the Messages API, or any server that speaks it.
 *
 * Owns: one attempt. The SDK's own retries are off, because retry belongs to the core (BED-006). The stream is read
 * event by event: a ping counts as a sign of life, but for so long only, and the input of a tool is parsed when it is
 * complete.
 * Does not own: what is asked (request.ts, send.ts), what an answer means (outcome.ts), what a failure says (failure.ts).
 */

import Anthropic from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/streaming";
import type { Millis } from "../machine/id.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Model, ModelHooks, ModelOutcome, ModelRequest } from "../ports/model.ts";
import type { Blobs } from "../ports/store.ts";
import { modelFacts } from "./catalogue.ts";
import { createDraft, type Draft } from "./draft.ts";
import { type FailureContext, networkFailure } from "./failure.ts";
import { brokenUsage, outcomeOf } from "./outcome.ts";
import { createSend, type Send } from "./send.ts";
import { eventFailure, thrownFacts, thrownFailure } from "./sdk-errors.ts";
import { createHush, createWatchdog, type Hush, type Watchdog } from "./watchdog.ts";
import { parseEvent } from "./stream-events.ts";

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Null: the provider's own address. */
  readonly baseURL: string | null;
  readonly blobs: Pick<Blobs, "get">;
  readonly log: Log;
  readonly clock: Clock;
  /** Upper bound of one response in tokens; the model's own limit is kept where it is lower. */
  readonly maxTokens: number;
  /** A request that says nothing for so long has failed; unset: 90 s. */
  readonly idleLimit?: Millis;
  /** A request that sends nothing but signs of life for so long has failed; unset: 5 min. */
  readonly silenceLimit?: Millis;
}

const IDLE_LIMIT: Millis = 90_000;
const SILENCE_LIMIT: Millis = 300_000;
/** People are told after so long without a word. */
const SILENT: Millis = 60_000;
/** After the answer is complete, the connection gets this long to end by itself, so that it can be used again. */
const DRAIN_LIMIT: Millis = 1_000;
/** The SDK's own timeout stays behind the watchdog. */
const SDK_TIMEOUT: Millis = 3_600_000;

export const createAnthropicModel = (options: AnthropicOptions): Model => {
  const { apiKey, baseURL, log, clock } = options;
  const client = new Anthropic({
    apiKey,
    baseURL,
    maxRetries: 0,
    timeout: SDK_TIMEOUT,
    logLevel: "off",
    openTelemetry: false,
  });

  const send = createSend(client, options);

  const respond = async (request: ModelRequest, hooks: ModelHooks): Promise<ModelOutcome> => {
    const begun = clock.now();
    const outcome = await attempt(send, options, request, hooks);
    report(log, request, clock.now() - begun, outcome);
    return outcome;
  };

  return { respond, window: (model) => modelFacts(model).window };
};

const attempt = async (
  send: Send,
  options: AnthropicOptions,
  request: ModelRequest,
  hooks: ModelHooks,
): Promise<ModelOutcome> => {
  const idle = options.idleLimit ?? IDLE_LIMIT;
  const context: FailureContext = { model: request.model, secrets: [options.apiKey] };
  const silence = options.silenceLimit ?? SILENCE_LIMIT;
  const words = createWatchdog(options.clock, hooks.signal, silence);
  const watchdog = createWatchdog(options.clock, words.signal, idle);
  const hush = createHush(options.clock, SILENT, (silent) => hooks.onSilent?.(silent));
  const draft = createDraft();
  const cost = () => brokenUsage(draft.broken(), request.model);
  try {
    const response = await send(request, watchdog.signal);
    const outcome = await read(response, draft, context, { watchdog, words, hush }, hooks);
    if (hooks.signal.aborted) return { kind: "aborted", ...cost() };
    return outcome.kind === "failed" ? { ...outcome, ...cost() } : outcome;
  } catch (error) {
    if (hooks.signal.aborted) return { kind: "aborted", ...cost() };
    const { conversation, model } = request;
    options.log.info("model request broke", { conversation, model, ...thrownFacts(error) });
    const failure = words.expired()
      ? networkFailure({ kind: "silent", after: silence })
      : watchdog.expired()
        ? networkFailure({ kind: "stalled", after: idle })
        : thrownFailure(error, context, options.clock.now());
    return { kind: "failed", failure, ...cost() };
  } finally {
    for (const one of [watchdog, words, hush]) one.end();
  }
};

interface Waits {
  readonly watchdog: Watchdog;
  readonly words: Pick<Watchdog, "heard">;
  readonly hush: Pick<Hush, "heard">;
}

/** Throws what breaks the body, for `attempt` to tell. */
const read = async (
  response: Response,
  draft: Draft,
  context: FailureContext,
  { watchdog, words, hush }: Waits,
  hooks: ModelHooks,
): Promise<ModelOutcome> => {
  try {
    for await (const { data } of Stream.rawEvents(response)) {
      const event = parseEvent(data);
      if (event.type === "malformed") return { kind: "failed", failure: networkFailure({ kind: "garbled" }) };
      if (event.type === "error") return { kind: "failed", failure: eventFailure(event.error, context) };
      const text = event.type === "other" ? "" : draft.take(event);
      if (text !== "") hooks.onText(text);
      if (event.type !== "other") for (const one of [words, hush]) one.heard();
      watchdog.heard(draft.received() === null ? undefined : DRAIN_LIMIT);
    }
  } catch (error) {
    // What breaks after the answer is complete changes nothing.
    if (draft.received() === null) throw error;
  }
  const received = draft.received();
  return received === null
    ? { kind: "failed", failure: networkFailure({ kind: "cut" }) }
    : outcomeOf(received, context.model);
};

/** Figures and kinds; never words of people or models, never the key. */
const report = (
  log: Log,
  { model, conversation }: Pick<ModelRequest, "model" | "conversation">,
  duration: Millis,
  outcome: ModelOutcome,
): void => {
  switch (outcome.kind) {
    case "answered": {
      const { stop, usage } = outcome;
      log.info("model answered", { conversation, model, duration, stop, ...usage });
      return;
    }
    case "failed": {
      const { kind, retryAfter } = outcome.failure;
      log.warn("model failed", { conversation, model, duration, kind, retryAfter });
      return;
    }
    case "aborted":
      log.info("model aborted", { conversation, model, duration });
  }
};
