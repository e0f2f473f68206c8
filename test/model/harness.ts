/** The model port on the real SDK and the wire-level fake, and what a test needs to ask it. */

import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { anthropicFacts } from "../../src/model/catalogue.ts";
import { ANTHROPIC } from "../../src/model/models.ts";
import type { ConfiguredModel } from "../../src/model/provider.ts";
import { secrecyOfSetting } from "../../src/app/settings/config.ts";
import { createModelRouter, type RouterOptions } from "../../src/model/router.ts";
import type { Prefix } from "../../src/ports/conversation.ts";
import type { Clock, Log, LogFields } from "../../src/ports/host.ts";
import type { Model, ModelOutcome, ModelRequest } from "../../src/ports/model.ts";
import type { ImageRef, PromptBlock, PromptMessage } from "../../src/thread/prompt.ts";
import {
  createFakeAnthropic,
  type FakeAnthropic,
  type FakeAnthropicOptions,
} from "../fakes/anthropic/fake.ts";
import { createVirtualClock } from "../fakes/shared/clock.ts";
import { listenOnLoopback } from "../fakes/shared/server.ts";

export const KEY = "sk-ant-test-0123456789abcdef";
export const MODEL = "claude-sonnet-5-5";

interface Line {
  readonly message: string;
  readonly fields: LogFields;
}

export interface Harness {
  readonly fake: FakeAnthropic;
  readonly model: Model;
  readonly clock: ManualClock;
  readonly blobs: Map<string, Buffer>;
  readonly log: readonly Line[];
}

export interface HarnessOptions extends Partial<Pick<RouterOptions, "maxTokens" | "idleLimit">> {
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** What is configured of the model otherwise than usual. */
  readonly configured?: Partial<ConfiguredModel>;
}

export const harness = async (
  { apiKey = KEY, baseURL, configured = {}, ...options }: HarnessOptions = {},
  fakeOptions: FakeAnthropicOptions = {},
): Promise<Harness> => {
  const fake = await createFakeAnthropic({ apiKey: KEY, ...fakeOptions });
  onTestFinished(() => fake.close());
  const asked = anthropic({ key: apiKey, address: baseURL ?? fake.url, ...configured });
  return { fake, ...routed(asked, options) };
};

/** One configured model over the real SDK of its provider. */
export const routed = (
  configured: ConfiguredModel,
  options: Partial<Pick<RouterOptions, "maxTokens" | "idleLimit">> = {},
): Omit<Harness, "fake"> => {
  const clock = createManualClock();
  const blobs = new Map<string, Buffer>();
  const log: Line[] = [];
  const { model } = createModelRouter({
    models: [configured],
    isSecret: (variable) => secrecyOfSetting(variable) === "whole",
    blobs: { get: async (hash) => blobs.get(hash) ?? null },
    log: linesOf(log),
    clock,
    maxTokens: 16_384,
    ...options,
  });
  return { model, clock, blobs, log };
};

export const anthropic = (over: Partial<ConfiguredModel> = {}): ConfiguredModel => {
  const facts = anthropicFacts(over.name ?? MODEL);
  if (facts === null) throw new Error(`${over.name} is not in the catalogue`);
  return {
    alias: over.name ?? MODEL,
    provider: "anthropic",
    wire: ANTHROPIC.wire,
    name: MODEL,
    key: KEY,
    address: null,
    more: {},
    local: false,
    named: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL" },
    facts,
    pictures: true,
    tools: true,
    caching: true,
    thinking: null,
    from: { window: "catalogue", longest: "catalogue", prices: "catalogue" },
    ...over,
  };
};

export interface ManualClock extends Clock {
  /** Fires what is due after so much more time. */
  advance(delay: number): void;
  /** Timers that are armed now. */
  armed(): number;
  /** Settles when a timer has been armed for the `count`-th time. */
  whenArmed(count: number): Promise<void>;
}

export const createManualClock = (): ManualClock => {
  const clock = createVirtualClock(1_000_000);
  const armed = new Set<symbol>();
  let arms = 0;
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    now: clock.now,
    after: (delay, fire) => {
      const timer = Symbol("timer");
      armed.add(timer);
      arms += 1;
      for (const { resolve } of waiting.filter(({ count }) => count <= arms)) resolve();
      const cancel = clock.after(delay, () => {
        armed.delete(timer);
        fire();
      });
      return () => {
        armed.delete(timer);
        cancel();
      };
    },
    advance: clock.advance,
    armed: () => armed.size,
    whenArmed: async (count) => {
      if (arms < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
    },
  };
};

/** An HTTP server for what the fake does not play; its address. */
export const serve = async (handle: RequestListener): Promise<string> => {
  const server = await listenOnLoopback(async (incoming, response) => handle(incoming, response));
  onTestFinished(() => server.close());
  return server.url;
};

const linesOf = (lines: Line[]): Log => {
  const write = (message: string, fields: LogFields = {}): void => void lines.push({ message, fields });
  return { info: write, warn: write, error: write };
};

export interface Asked {
  readonly outcome: Promise<ModelOutcome>;
  readonly abort: AbortController;
  /** Text so far. */
  readonly text: () => string;
  readonly deltas: readonly string[];
}

export const ask = (
  model: Model,
  request: ModelRequest,
  onText: (delta: string) => void = () => {},
  onSilent?: (silent: boolean) => void,
): Asked => {
  const abort = new AbortController();
  const deltas: string[] = [];
  const outcome = model.respond(request, {
    signal: abort.signal,
    onText: (delta) => {
      deltas.push(delta);
      onText(delta);
    },
    ...(onSilent === undefined ? {} : { onSilent }),
  });
  return { outcome, abort, deltas, text: () => deltas.join("") };
};

export const bash = {
  name: "bash",
  description: "Runs a command.",
  inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
} as const;

export const prefix: Prefix = { hash: "h", system: "You are an agent. ".repeat(400), tools: [bash] };

export const request = (
  messages: readonly PromptMessage[] = [user(text("where is the retry policy?"))],
  over: Partial<ModelRequest> = {},
): ModelRequest => ({ conversation: "c-test", model: MODEL, prefix, messages, ...over });

export const user = (...content: readonly PromptBlock[]): PromptMessage => ({ role: "user", content });
export const assistant = (...content: readonly PromptBlock[]): PromptMessage => ({
  role: "assistant",
  content,
});
export const text = (value: string): PromptBlock => ({ kind: "text", text: value });
export const toolUse = (id: string, input: unknown = {}, name = "bash"): PromptBlock => ({
  kind: "toolUse",
  id,
  name,
  input,
});
export const toolResult = (
  id: string,
  value: string,
  isError = false,
  images: readonly ImageRef[] = [],
): PromptBlock => ({ kind: "toolResult", id, text: value, isError, images });

/** The answer's blocks; fails where there is none. */
export const answered = async (asked: Asked): Promise<ModelOutcome & { kind: "answered" }> => {
  const outcome = await asked.outcome;
  if (outcome.kind !== "answered") throw new Error(`expected an answer, got ${JSON.stringify(outcome)}`);
  return outcome;
};
