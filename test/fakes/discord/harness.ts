/** A fake and real clients on it, closed when the test is over. */

import { once } from "node:events";
import {
  Client,
  type ClientOptions,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  Partials,
  REST,
} from "discord.js";
import { onTestFinished } from "vitest";
import { createVirtualClock, type VirtualClock } from "../shared/clock.ts";
import { createFakeDiscord, type FakeDiscord, type FakeDiscordOptions } from "./fake.ts";

export interface Harness {
  readonly fake: FakeDiscord;
  readonly clock: VirtualClock;
  /** Every failure is the caller's to deal with. */
  readonly rest: REST;
}

export const harness = async (options: Omit<FakeDiscordOptions, "clock"> = {}): Promise<Harness> => {
  const clock = createVirtualClock();
  const fake = await createFakeDiscord({ ...options, clock });
  onTestFinished(() => fake.close());
  return { fake, clock, rest: restOn(fake) };
};

export const restOn = ({ apiUrl, token }: Pick<FakeDiscord, "apiUrl" | "token">, options = {}): REST => {
  const rest = new REST({
    api: apiUrl,
    retries: 0,
    timeout: 120_000,
    rejectOnRateLimit: () => true,
    ...options,
  });
  onTestFinished(() => {
    rest.clearHandlerSweeper();
    rest.clearHashSweeper();
  });
  return rest.setToken(token);
};

/** The real client, as discord.js points it to a local server; not logged in yet. */
export const clientOn = (
  { apiUrl }: Pick<FakeDiscord, "apiUrl">,
  options: Partial<ClientOptions> = {},
): Client => {
  const client = new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.MessageContent,
      GatewayIntentBits.DirectMessages,
    ],
    partials: [Partials.Channel],
    enforceNonce: true,
    rest: { api: apiUrl, retries: 0, timeout: 120_000 },
    ...options,
    ws: { ...anyNumberOfSessions, ...options.ws },
  });
  client.on(Events.Error, () => undefined);
  client.on(Events.ShardError, () => undefined);
  // Not awaited: a client that is between two connections never settles it.
  onTestFinished(() => {
    void client.destroy();
  });
  return client;
};

/** The client waits five seconds between two sessions, as Discord asks of it; the fake's clock does not move meanwhile. */
const anyNumberOfSessions: ClientOptions["ws"] = {
  buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }),
};

/** Logged in, and ready with all its guilds. */
export const readyOn = async (
  fake: FakeDiscord,
  options: Partial<ClientOptions> = {},
): Promise<Client<true>> => {
  const client = clientOn(fake, options);
  const ready = once(client, Events.ClientReady);
  await client.login(fake.token);
  await ready;
  if (!client.isReady()) throw new Error("the client is not ready");
  return client;
};

/** What a call was refused with; fails where it was not. */
export const refusal = async (promise: Promise<unknown>): Promise<DiscordAPIError> => {
  const error = await promise.then(
    (value) => new Error(`expected a refusal, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof DiscordAPIError) return error;
  throw error;
};
