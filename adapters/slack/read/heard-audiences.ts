/** Remembers from recent messages whether their channels are public, because each message event has the channel's type. */

import type { Millis } from "../../../src/machine/id.ts";
import type { Audience } from "../../../src/ports/answers.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { millisOfTs } from "./message.ts";
import type { ReceivedMessage } from "./read.ts";

/** Counts from the message's own time, because events may arrive late. */
const LASTS: Millis = 60_000;
const CHANNELS = 500;

export type HeardAudiences = ReturnType<typeof createHeardAudiences>;

export const createHeardAudiences = (clock: Pick<Clock, "now">) => {
  const known = createLruCache<{ readonly at: Millis; readonly audience: Audience }>(CHANNELS);
  return {
    /** A change of the channel's type is a message too, with the new type. */
    heard: ({
      channel,
      audience,
      message,
    }: Pick<ReceivedMessage, "channel" | "audience" | "message">): void => {
      const at = millisOfTs(message.ts);
      if (audience !== undefined && at >= (known.get(channel)?.at ?? 0)) known.set(channel, { at, audience });
    },
    /** Null if no message of the last minute is known. */
    of: (channel: string): Audience | null => {
      const found = known.get(channel);
      return found !== undefined && clock.now() - found.at < LASTS ? found.audience : null;
    },
  };
};
