/** A connection of ours on a fake Discord, and what it told. */

import { onTestFinished } from "vitest";
import { createDiscordConnection } from "../../../adapters/discord/receive/connection.ts";
import type { Clock, Log, LogFields } from "../../../src/ports/host.ts";
import { createFakeDiscord, type FakeDiscord, type FakeDiscordOptions } from "../../fakes/discord/fake.ts";
import { createJournal, type Journal } from "../../fakes/shared/journal.ts";
import { createManualClock } from "../../runtime/world.ts";

export interface Heard {
  readonly type: string;
  readonly content: string;
}

export interface Scene {
  readonly fake: FakeDiscord;
  readonly connection: ReturnType<typeof createDiscordConnection>;
  readonly heard: Journal<Heard>;
  readonly logged: readonly { readonly message: string; readonly fields: LogFields | undefined }[];
  /** So many milliseconds pass for the look at living connections; none pass by themselves, however busy the machine is. */
  pass(delay: number): void;
  /** Words of the messages that came, in order. */
  words(): readonly string[];
  /** The first `count` messages, once they have come. */
  listen(count: number): Promise<readonly string[]>;
}

/** What waits seconds waits a hundredth of them. */
const quick: Clock = {
  now: () => Date.now() * 100,
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay / 100);
    return () => clearTimeout(timer);
  },
};

const TIMES = { identifyWindowMs: 0, heartbeatIntervalMs: 200 };

export const scene = async (
  options: FakeDiscordOptions = {},
  more: Partial<Parameters<typeof createDiscordConnection>[0]> = {},
  recovered: () => void = () => undefined,
): Promise<Scene> => {
  const fake = await createFakeDiscord({ ...options, times: { ...TIMES, ...options.times } });
  onTestFinished(() => fake.close());
  const heard = createJournal<Heard>();
  const logged: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const write = (message: string, fields?: LogFields): void => {
    logged.push({ message, fields });
  };
  const log: Log = { info: write, warn: write, error: write };
  const heartbeats = createManualClock();
  const connection = createDiscordConnection(
    {
      token: fake.token,
      apiUrl: fake.apiUrl,
      clock: quick,
      heartbeats,
      log,
      timeout: 120_000,
      ...more,
    },
    (type, data) => heard.append({ type, content: String(Object(data).content) }),
    recovered,
  );
  onTestFinished(() => connection.close());
  const isMessage = ({ type }: Heard): boolean => type === "MESSAGE_CREATE";
  const contentOf = ({ content }: Heard): string => content;
  return {
    fake,
    connection,
    heard,
    logged,
    pass: heartbeats.advance,
    words: () => heard.entries.filter(isMessage).map(contentOf),
    listen: async (count) => (await heard.waitFor(count, isMessage)).map(contentOf),
  };
};
