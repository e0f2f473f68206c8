/** A fake and real clients on it, closed when the test is over. */

import { LogLevel, webApi } from "@slack/bolt";
import { beforeAll, onTestFinished } from "vitest";
import { createVirtualClock, type VirtualClock } from "../shared/clock.ts";
import { createFakeSlack, type FakeSlack, type FakeSlackOptions } from "./fake.ts";
import { methods } from "./methods/all.ts";
import { slackSchema } from "./schema.ts";

// The first run on a machine generates the schemas, which takes longer than a test may.
beforeAll(() => slackSchema(Object.keys(methods)).then(() => undefined), 180_000);

export interface Harness {
  readonly fake: FakeSlack;
  readonly client: webApi.WebClient;
  readonly clock: VirtualClock;
}

export const harness = async (options: Omit<FakeSlackOptions, "clock"> = {}): Promise<Harness> => {
  const clock = createVirtualClock();
  const fake = await createFakeSlack({ ...options, clock });
  onTestFinished(() => fake.close());
  return { fake, client: clientOf(fake), clock };
};

/** As hazard S5 has it: every failure is the caller's to deal with. */
export const clientOf = (
  fake: Pick<FakeSlack, "apiUrl" | "botToken">,
  options: webApi.WebClientOptions = {},
): webApi.WebClient =>
  new webApi.WebClient(fake.botToken, {
    slackApiUrl: fake.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    ...options,
  });

const nothing = (): void => {};
export const silent: NonNullable<webApi.WebClientOptions["logger"]> = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** What a promise rejected with; fails where it did not reject. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );

export const postMessage = (
  client: webApi.WebClient,
  args: webApi.ChatPostMessageArguments,
): Promise<webApi.ChatPostMessageResponse> =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
  client.chat.postMessage(args);
