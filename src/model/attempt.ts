/** The core controls retries (BED-006). A ping counts as a sign of life, but only for a limited time. */

import type { Millis } from "../machine/id.ts";
import type { Failure } from "../machine/vocabulary.ts";
import type { Clock, Log, LogFields } from "../ports/host.ts";
import type { ModelHooks, ModelOutcome, ModelRequest } from "../ports/model.ts";
import type { Prices } from "../ports/money.ts";
import { createDraft, type ResponseDraft } from "./draft.ts";
import { type FailureContext, networkFailure } from "./failure.ts";
import { brokenUsage, outcomeOf } from "./outcome.ts";
import { createReadingRest } from "./rest.ts";
import type { ParsedEvent } from "./stream-events.ts";
import { createHush, createWatchdog } from "./watchdog.ts";

export interface ProviderClient {
  /** Throws SDK errors, here or while the stream is read. */
  open(request: ModelRequest, signal: AbortSignal): Promise<AsyncIterable<ParsedEvent>>;
  /** `now` is needed for a wait that the provider gives as a date. */
  thrown(error: unknown, now: Millis): Failure;
  told(error: unknown, now: Millis): Failure;
  /** No message, because a message may quote people. */
  facts(error: unknown): LogFields;
}

interface AttemptOptions {
  readonly context: FailureContext;
  readonly prices: Prices;
  readonly log: Log;
  readonly clock: Clock;
  /** Time without any event after which a request has failed; 90 s if absent. */
  readonly idleLimit?: Millis;
}

const IDLE_LIMIT: Millis = 90_000;
/** Time with only signs of life after which a request has failed. */
const SILENCE_LIMIT: Millis = 300_000;
/** Time without text after which people are notified. */
const SILENT: Millis = 60_000;
/** Time for the connection to end by itself after a complete answer, so that it can be reused. */
const DRAIN_LIMIT: Millis = 1_000;
/** Far above any model's output, so that a server with an endless stream cannot fill the memory. */
const MOST_EVENTS = 2_000_000;

type Respond = (request: ModelRequest, hooks: ModelHooks) => Promise<ModelOutcome>;

export const attempting =
  (wire: ProviderClient, options: AttemptOptions): Respond =>
  async (request, hooks) => {
    const begun = options.clock.now();
    const outcome = await attempt(wire, options, request, hooks);
    report(options.log, request, options.clock.now() - begun, outcome);
    return outcome;
  };

const attempt = async (
  wire: ProviderClient,
  options: AttemptOptions,
  request: ModelRequest,
  hooks: ModelHooks,
): Promise<ModelOutcome> => {
  const { context, clock, prices, idleLimit: idle = IDLE_LIMIT } = options;
  // If both limits are equal, the watchdog's message wins, because the watchdog's timer starts first: nothing at all was sent.
  const watchdog = createWatchdog(clock, hooks.signal, idle);
  const words = createWatchdog(clock, watchdog.signal, SILENCE_LIMIT);
  const hush = createHush(clock, SILENT, (silent) => hooks.onSilent?.(silent));
  const draft = createDraft();
  const heard = (isWord: boolean): void => {
    watchdog.heard(draft.received() === null ? undefined : DRAIN_LIMIT);
    if (isWord) for (const one of [words, hush]) one.heard();
  };
  const cost = () => brokenUsage(draft.broken(), prices, request);
  try {
    const stream = await wire.open(request, words.signal);
    const rest = hooks.unseenFor && createReadingRest(clock, words.signal, hooks.unseenFor);
    const failure = await read(stream, draft, wire, options, { heard, rest }, hooks);
    if (hooks.signal.aborted) return { kind: "aborted", ...cost() };
    const received = draft.received();
    if (failure !== null) return { kind: "failed", failure, ...cost() };
    if (received === null)
      return { kind: "failed", failure: networkFailure({ kind: "cut" }, context), ...cost() };
    const outcome = outcomeOf(received, prices, request);
    return outcome.kind === "failed" ? { ...outcome, ...cost() } : outcome;
  } catch (error) {
    if (hooks.signal.aborted) return { kind: "aborted", ...cost() };
    const { conversation, model } = request;
    options.log.info("model: request interrupted", { conversation, model, ...wire.facts(error) });
    const failure = watchdog.expired()
      ? networkFailure({ kind: "stalled", after: idle }, context)
      : words.expired()
        ? networkFailure({ kind: "silent", after: SILENCE_LIMIT }, context)
        : wire.thrown(error, clock.now());
    return { kind: "failed", failure, ...cost() };
  } finally {
    for (const one of [watchdog, words, hush]) one.end();
  }
};

interface Reading {
  readonly heard: (isWord: boolean) => void;
  readonly rest: ReturnType<typeof createReadingRest> | undefined;
}

/** Null if the stream ended by itself. Throws errors of the body, which `attempt` converts. */
const read = async (
  stream: AsyncIterable<ParsedEvent>,
  draft: ResponseDraft,
  wire: ProviderClient,
  { context, clock }: AttemptOptions,
  { heard, rest }: Reading,
  hooks: Pick<ModelHooks, "onText">,
): Promise<Failure | null> => {
  let events = 0;
  try {
    for await (const event of stream) {
      events += 1;
      if (draft.received() !== null) {
        if (events > MOST_EVENTS) return null;
        heard(false);
        continue;
      }
      if (event.type === "spliced") return networkFailure({ kind: "cut" }, context);
      if (event.type === "malformed" || events > MOST_EVENTS)
        return networkFailure({ kind: "garbled" }, context);
      if (event.type === "error") return wire.told(event.error, clock.now());
      const text = event.type === "other" ? "" : draft.take(event);
      if (text !== "") hooks.onText(text);
      heard(event.type !== "other");
      if (text !== "") await rest?.();
    }
  } catch (error) {
    // An error after the complete answer changes nothing.
    if (draft.received() === null) throw error;
  }
  return null;
};

/** Logs numbers and kinds; never text of people or models, never the key. */
const report = (
  log: Log,
  { model, conversation }: Pick<ModelRequest, "model" | "conversation">,
  duration: Millis,
  outcome: ModelOutcome,
): void => {
  const common = { conversation, model, duration };
  if (outcome.kind === "aborted") log.info("model: call aborted", common);
  else if (outcome.kind === "failed") {
    const { kind, retryAfter } = outcome.failure;
    log.warn("model: call failed", { ...common, kind, retryAfter });
  } else {
    const { stop, usage, estimated } = outcome;
    const guess = estimated === true ? { estimated } : {};
    log.info("model: call answered", { ...common, stop, ...usage, ...guess });
  }
};
