/**
 * WS3: Slack sends two events for a mention. `app_mention` may lack files and the content displayed below the
 * message; the `message` event has both. If `app_mention` arrives first, its handler gets the other event's message
 * here, which saves a request for the message.
 */

import type { Millis } from "../../../src/machine/id.ts";
import { atMost, type Clock } from "../../../src/ports/host.ts";
import type { SlackMessage } from "../read/message.ts";
import type { ReceivedMessage } from "../read/read.ts";

/** Slack sends both events within a fraction of a second, which is less than a request takes. */
const PATIENCE: Millis = 300;
const EXPECTED_FOR: Millis = 10_000;

export type MentionTwins = ReturnType<typeof createMentionTwins>;

export const createMentionTwins = (clock: Pick<Clock, "after">) => {
  const expected = new Map<string, PromiseWithResolvers<SlackMessage>>();
  return {
    heard: (heard: ReceivedMessage): void => {
      const key = keyOf(heard);
      if (!heard.isPartial) return expected.get(key)?.resolve(heard.message);
      if (expected.has(key)) return;
      expected.set(key, Promise.withResolvers());
      clock.after(EXPECTED_FOR, () => expected.delete(key));
    },
    /** Null if the other event did not arrive soon. */
    whole: (heard: ReceivedMessage): Promise<SlackMessage | null> => {
      const twin = expected.get(keyOf(heard));
      return twin === undefined ? Promise.resolve(null) : atMost(clock, PATIENCE, twin.promise);
    },
  };
};

const keyOf = ({ channel, message }: ReceivedMessage): string => `${channel}/${message.ts}`;
