/**
 * What was answered in a time that this database has lost (a backup was restored): messages of ours stand in the thread
 * whose keys the ledger does not know. What people wrote before them is not answered again.
 */

import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";
import { discordMessage, isNewer } from "../read/message.ts";
import { isMessageKey, messageKey } from "../write/message-key.ts";
import type { Calls } from "../write/api.ts";

const HAS_THREAD = 1 << 5;
const PAGE = "100";

/** A message that was read back. */
export const readMessage = discordMessage.extend({
  flags: z.int().default(0),
  components: z.array(z.object({ id: z.int().optional() })).default([]),
});
export type ReadMessage = z.output<typeof readMessage>;

export interface LostDeps {
  readonly calls: Pick<Calls, "call">;
  /** The bot's user id. */
  readonly bot: string;
  /** The keys of all messages of the thread's conversation; none where there is none. */
  readonly wires: (thread: Place) => readonly string[];
  /** The thread is a conversation's. */
  readonly knows: (place: string, root: string) => boolean;
}

/** Of a thread's messages, those behind the newest that another life of this host wrote there. */
export const behindLost = (
  { bot, wires }: Pick<LostDeps, "bot" | "wires">,
  thread: Place,
  messages: readonly ReadMessage[],
): readonly ReadMessage[] => {
  const ours = messages.filter((one) => isOurs(one, bot));
  if (ours.length === 0) return messages;
  const known = new Set(wires(thread).map(messageKey));
  const lost = ours.findLast(({ components }) => !known.has(components[0]?.id ?? 0));
  return lost === undefined ? messages : messages.filter(({ id }) => isNewer(id, lost.id));
};

/** Of a channel's messages, those but for the ones whose threads we wrote in and know nothing of. */
export const notTaken = async (
  deps: LostDeps,
  channel: string,
  messages: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> => {
  const left: ReadMessage[] = [];
  for (const one of messages) if (!(await isTaken(deps, channel, one))) left.push(one);
  return left;
};

const isTaken = async (
  { calls, bot, knows }: LostDeps,
  channel: string,
  { id, flags, mentions }: ReadMessage,
): Promise<boolean> => {
  const isQuestion = (flags & HAS_THREAD) !== 0 && mentions.some((one) => one.id === bot);
  if (!isQuestion || knows(channel, id)) return false;
  try {
    const answer = await calls.call("GET", `/channels/${id}/messages`, { query: { limit: PAGE } });
    return z
      .array(readMessage)
      .parse(answer)
      .some((one) => isOurs(one, bot));
  } catch {
    // What cannot be told counts as unanswered: twice is better than never.
    return false;
  }
};

const isOurs = ({ author, components }: ReadMessage, bot: string): boolean =>
  author.id === bot && isMessageKey(components[0]?.id ?? 0);
