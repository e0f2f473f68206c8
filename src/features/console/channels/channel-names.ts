/**
 * Names of channels, read from their platforms and cached. A cached name is shown at once, and is read again if it is some
 * minutes old. After a read without an answer, the platform is not queried again until the next request.
 */

import type { Millis } from "../../../machine/id.ts";
import type { ChannelAddress, ChannelName, ReadName } from "../../../ports/channels.ts";
import type { Clock } from "../../../ports/host.ts";
import { createLruCache } from "../../../text/lru-cache.ts";
import type { ChannelNames } from "./ports.ts";

const FRESH: Millis = 10 * 60_000;
const REMEMBERED = 5_000;
const AT_ONCE = 4;

interface ChannelNamesDeps {
  readonly reads: (surface: string) => ReadName | null;
  readonly clock: Pick<Clock, "now">;
}

export const createChannelNames = ({ reads, clock }: ChannelNamesDeps): ChannelNames => {
  const said = createLruCache<{ readonly name: ChannelName; readonly at: Millis }>(REMEMBERED);

  const isFresh = (channel: ChannelAddress): boolean => {
    const last = said.get(keyOf(channel));
    return last !== undefined && clock.now() - last.at < FRESH;
  };

  /**
   * Reads the names of one surface, a few at a time. After the first read without an answer, the remaining channels are not
   * read.
   */
  const ask = async (
    surface: string,
    channels: readonly ChannelAddress[],
  ): Promise<ReadonlyMap<string, ChannelName>> => {
    const names = new Map<string, ChannelName>();
    const read = reads(surface);
    if (read === null) return names;
    const left = channels.values();
    let silence: ChannelName | null = null;
    const askNext = async (): Promise<void> => {
      for (const channel of left) {
        const name: ChannelName = silence ?? (await read(channel.place));
        if (name.kind === "unread") silence = name;
        else said.set(keyOf(channel), { name, at: clock.now() });
        names.set(keyOf(channel), name);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askNext));
    return names;
  };

  const known = (channel: ChannelAddress): ChannelName | null => said.get(keyOf(channel))?.name ?? null;

  return {
    known,
    read: async (channels) => {
      const stale = Map.groupBy(
        channels.filter((one) => !isFresh(one)),
        ({ surface }) => surface,
      );
      const asked = await Promise.all([...stale].map(([surface, some]) => ask(surface, some)));
      const names = new Map(asked.flatMap((some) => [...some]));
      return channels.map((one) => known(one) ?? names.get(keyOf(one)) ?? OFF);
    },
  };
};

const keyOf = ({ surface, place }: ChannelAddress): string => `${surface} ${place}`;

const OFF: ChannelName = { kind: "unread", why: "the channel's platform is off on this host" };
