/**
 * What people wrote while no session told of it, read from Discord and brought as it would have arrived.
 *
 * Where messages of ours stand whose keys the ledger does not know, they were answered in a time that this database has
 * lost (a backup was restored): what people wrote before them is not answered again.
 */

import * as z from "zod";
import type { Backlog, Source } from "../../../src/ports/chat-rows.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import { type Clock, type Log, pause } from "../../../src/ports/host.ts";
import { discordMessage, isNewer } from "../read/message.ts";
import { troubleOf } from "../write/failure.ts";
import { isMessageKey, messageKey } from "../write/message-key.ts";
import type { Calls } from "../write/api.ts";
import { admit, type Ears } from "./inbound.ts";

const HAS_THREAD = 1 << 5;
const PAGE = 100;
const MOST_PAGES = 50;
/** Between two pages: a fifth of the calls that a bot may make in a second. */
export const READ_EVERY = 100;

const readMessage = discordMessage.extend({ flags: z.int().default(0) });
type ReadMessage = z.output<typeof readMessage>;

export interface MissedDeps {
  readonly calls: Pick<Calls, "call">;
  readonly clock: Clock;
  readonly log: Log;
  readonly ears: Ears;
  /** The keys of all messages of the thread's conversation; none where there is none. */
  readonly wires: (thread: Place) => readonly string[];
}

/** `guild`: null for direct messages. */
export const createBacklog = (deps: MissedDeps, guild: string | null): Backlog => ({
  missed: async (source) => {
    const { place, root } = source;
    try {
      const read = await pagesOf(deps, source);
      const left =
        root === null ? await notTaken(deps, place, read) : behindLost(deps, { place, root }, read);
      const arrivals = left.flatMap((one) => {
        const told = guild === null ? one : { ...one, guild_id: guild };
        return admit("MESSAGE_CREATE", told, deps.ears) ?? [];
      });
      return { kind: "read", arrivals, ours: [], taken: new Set() };
    } catch (error) {
      return troubleOf(error);
    }
  },
});

const pagesOf = async (
  { calls, clock, log }: MissedDeps,
  { place, root, since }: Source,
): Promise<readonly ReadMessage[]> => {
  const channel = root ?? place;
  const read: ReadMessage[] = [];
  let after: string | null = since;
  for (let pages = 0; after !== null && pages < MOST_PAGES; pages += 1) {
    const query = { after, limit: String(PAGE) };
    const answer = await calls.call("GET", `/channels/${channel}/messages`, { query });
    const page = messages.parse(answer).toReversed();
    read.push(...page);
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
    if (after !== null) await pause(clock, READ_EVERY);
  }
  if (after !== null) log.warn("discord: not all missed messages were read back", { channel });
  return read;
};

/** Of a thread's messages, those behind the newest that another life of this host wrote there. */
const behindLost = (
  { ears: { self }, wires }: MissedDeps,
  thread: Place,
  messages: readonly ReadMessage[],
): readonly ReadMessage[] => {
  const ours = messages.filter((one) => isOurs(one, self.bot));
  if (ours.length === 0) return messages;
  const known = new Set(wires(thread).map(messageKey));
  const lost = ours.findLast(({ components }) => !known.has(components[0]?.id ?? 0));
  return lost === undefined ? messages : messages.filter(({ id }) => isNewer(id, lost.id));
};

/** Of a channel's messages, those but for the ones whose threads we wrote in and know nothing of. */
const notTaken = async (
  deps: MissedDeps,
  channel: string,
  messages: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> => {
  const left: ReadMessage[] = [];
  for (const one of messages) if (!(await isTaken(deps, channel, one))) left.push(one);
  return left;
};

const isTaken = async (
  { calls, ears: { self, knows } }: MissedDeps,
  channel: string,
  { id, flags, mentions }: ReadMessage,
): Promise<boolean> => {
  const isQuestion = (flags & HAS_THREAD) !== 0 && mentions.some((one) => one.id === self.bot);
  if (!isQuestion || knows(channel, id)) return false;
  try {
    const answer = await calls.call("GET", `/channels/${id}/messages`, { query: { limit: String(PAGE) } });
    return messages.parse(answer).some((one) => isOurs(one, self.bot));
  } catch {
    // What cannot be told counts as unanswered: twice is better than never.
    return false;
  }
};

const isOurs = ({ author, components }: ReadMessage, bot: string): boolean =>
  author.id === bot && isMessageKey(components[0]?.id ?? 0);

const messages = z.array(readMessage);
