/** A fake and a real client on it, closed when the test is over. */

import Anthropic from "@anthropic-ai/sdk";
import type {
  MessageCreateParamsNonStreaming,
  MessageParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { onTestFinished } from "vitest";
import { createFakeAnthropic, type FakeAnthropic, type FakeAnthropicOptions } from "./fake.ts";

export interface Harness {
  readonly fake: FakeAnthropic;
  readonly client: Anthropic;
}

export const harness = async (options: FakeAnthropicOptions = {}): Promise<Harness> => {
  const fake = await createFakeAnthropic(options);
  onTestFinished(() => fake.close());
  return { fake, client: clientOf(fake) };
};

export const clientOf = (fake: { readonly url: string; readonly apiKey: string }): Anthropic =>
  new Anthropic({ apiKey: fake.apiKey, baseURL: fake.url, maxRetries: 0, logLevel: "off" });

/** A valid request with these messages, or with one plain question. */
export const ask = (
  messages: readonly MessageParam[] = [{ role: "user", content: "where is the retry policy?" }],
): MessageCreateParamsNonStreaming => ({
  model: "claude-sonnet-5-5",
  max_tokens: 1000,
  messages: [...messages],
});

export const bashTool = {
  name: "bash",
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: { type: "string" } } },
} as const;

/** What a promise rejected with; fails where it did not reject. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
