/**
 * Forwards that people sent just before a question. The client sends a forward and the comment to it as two messages, and a mention
 * can only be in the second. Owns: the latest forwards of each person in each channel.
 */

import * as z from "zod";
import { createRemembered } from "../../../src/text/remembered.ts";
import { type DiscordMessage, discordMessage, millisOf } from "../read/message.ts";
import type { Calls } from "../write/api.ts";

const REMEMBERED = 1_000;
/** Of one person in one channel. */
const LATEST = 5;
/** The client sends both at once; a person who comments by hand needs longer. */
const TOGETHER = 60_000;

export type Forwards = ReturnType<typeof createForwards>;

export const createForwards = (calls: Calls) => {
  const latest = createRemembered<readonly DiscordMessage[]>(REMEMBERED);
  return {
    hear: (type: string, data: unknown): void => {
      if (type !== "MESSAGE_CREATE" || !isForward.safeParse(data).success) return;
      const read = discordMessage.safeParse(data);
      if (!read.success) return;
      const key = keyOf(read.data);
      latest.set(key, [...(latest.get(key) ?? []), read.data].slice(-LATEST));
    },
    /** `isFresh`: the gateway sent the message in this process. Null if the person forwarded nothing before it. */
    before: async (message: DiscordMessage, isFresh: boolean): Promise<DiscordMessage | null> => {
      const known = latest.get(keyOf(message))?.findLast((one) => isOneWith(one, message));
      if (known !== undefined || isFresh) return known ?? null;
      const found = await readBefore(calls, message);
      return found !== null && isOneWith(found, message) ? found : null;
    },
  };
};

const keyOf = ({ channel_id: channel, author }: DiscordMessage): string => `${channel}/${author.id}`;

/** After a restart: the message directly before it. */
const readBefore = async (
  calls: Calls,
  { id, channel_id: channel }: DiscordMessage,
): Promise<DiscordMessage | null> => {
  const query = { before: id, limit: "1" };
  const answer = await calls.call("GET", `/channels/${channel}/messages`, { query }).catch(() => []);
  return z.array(discordMessage).safeParse(answer).data?.[0] ?? null;
};

const isOneWith = (forward: DiscordMessage, { id, author }: DiscordMessage): boolean => {
  const wait = millisOf(id) - millisOf(forward.id);
  return (
    forward.author.id === author.id &&
    forward.message_snapshots.length > 0 &&
    BigInt(id) > BigInt(forward.id) &&
    wait <= TOGETHER
  );
};

const isForward = z.object({ message_snapshots: z.array(z.unknown()).min(1) });
