/**
 * Tracks forwards that people send right before a question. The client sends a forward and its comment as two
 * messages, and only the second can mention the bot. Owns: the latest forwards of each person in each
 * channel, and the comments that belong to forwards in direct messages.
 */

import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { type DiscordMessage, discordMessage, millisOfSnowflake } from "../read/message.ts";
import type { DiscordCalls } from "../api/calls.ts";

const REMEMBERED = 1_000;
/** Limit for one person in one channel. */
const LATEST = 5;
/**
 * Time between a forward and its comment. The client sends both at once; a person who types the comment needs
 * longer.
 */
const TOGETHER = 60_000;
/** Time that a forward in direct messages waits for its comment. */
const COMMENTED: Millis = 1_500;

export type Forwards = ReturnType<typeof createForwards>;

export const createForwards = (calls: DiscordCalls, clock: Pick<Clock, "after">) => {
  const latest = createLruCache<readonly DiscordMessage[]>(REMEMBERED);
  /** In direct messages: forwards by the id of the message that comments on them. */
  const commented = createLruCache<readonly DiscordMessage[]>(REMEMBERED);
  /** In direct messages: forwards with a later message of the same person. */
  const followed = createLruCache<true>(REMEMBERED);
  /** Forwards that wait for a comment, by id. */
  const waiting = new Map<string, (isFollowed: boolean) => void>();

  const follow = (forward: DiscordMessage): void => {
    followed.set(forward.id, true);
    waiting.get(forward.id)?.(true);
  };

  return {
    hear: (type: string, data: unknown): void => {
      if (type !== "MESSAGE_CREATE") return;
      const sent = address.safeParse(data);
      if (!sent.success) return;
      const { channel_id: channel, author } = sent.data;
      const key = `${channel}/${author.id}`;
      const earlier = latest.get(key) ?? [];
      const forward = isForward.safeParse(data).success ? discordMessage.safeParse(data).data : undefined;
      if (sent.data.guild_id === undefined && earlier.length > 0) {
        commented.set(sent.data.id, earlier);
        earlier.forEach(follow);
        latest.forget(key);
      }
      if (forward !== undefined) latest.set(key, [...earlier, forward].slice(-LATEST));
    },
    /**
     * Returns the forwards right before the message, in order. `isFresh`: the gateway sent the message in
     * this process.
     */
    before: async (message: DiscordMessage, isFresh: boolean): Promise<readonly DiscordMessage[]> => {
      const isDirect = message.guild_id === undefined;
      const heard = isDirect ? commented.get(message.id) : latest.get(keyOf(message));
      const known = (heard ?? []).filter((one) => isOneWith(one, message));
      if (known.length > 0 || isFresh) return known;
      const found = await readBefore(calls, message);
      return found !== null && isOneWith(found, message) ? [found] : [];
    },
    /**
     * Whether the person sends a message after a forward in direct messages, now or within a moment. Without such a message,
     * the forward is a question by itself.
     */
    follows: (forward: DiscordMessage): Promise<boolean> => {
      if (followed.get(forward.id) === true) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const end = (isFollowed: boolean): void => {
        cancel();
        waiting.delete(forward.id);
        if (!isFollowed) latest.forget(keyOf(forward));
        resolve(isFollowed);
      };
      const cancel = clock.after(COMMENTED, () => end(false));
      waiting.set(forward.id, end);
      return promise;
    },
  };
};

const keyOf = ({ channel_id: channel, author }: Pick<DiscordMessage, "channel_id" | "author">): string =>
  `${channel}/${author.id}`;

const address = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  author: z.object({ id: z.string() }),
});

/** Reads the message directly before, which is unknown after a restart. */
const readBefore = async (
  calls: DiscordCalls,
  { id, channel_id: channel }: DiscordMessage,
): Promise<DiscordMessage | null> => {
  const query = { before: id, limit: "1" };
  const answer = await calls.call("GET", `/channels/${channel}/messages`, { query }).catch(() => []);
  return z.array(discordMessage).safeParse(answer).data?.[0] ?? null;
};

const isOneWith = (forward: DiscordMessage, { id, author }: DiscordMessage): boolean => {
  const wait = millisOfSnowflake(id) - millisOfSnowflake(forward.id);
  return (
    forward.author.id === author.id &&
    forward.message_snapshots.length > 0 &&
    BigInt(id) > BigInt(forward.id) &&
    wait <= TOGETHER
  );
};

const isForward = z.object({ message_snapshots: z.array(z.unknown()).min(1) });
