/** Reads messages from the time without a session, and passes them on as if they had just arrived. */

import * as z from "zod";
import type { Backlog, Source } from "../../../src/ports/chat-rows.ts";
import { type Clock, type Log, pause } from "../../../src/ports/host.ts";
import { discordMessage } from "../read/message.ts";
import type { DiscordNames } from "../read/plain.ts";
import { discordFailureOf } from "../api/failure.ts";
import { isMessageKey, messageKey } from "../write/message-key.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type { Forwards } from "./forwards.ts";
import { admitDispatch, type DiscordInboundContext, mentionsBot } from "./inbound.ts";

const HAS_THREAD = 1 << 5;
const PAGE = 100;
const MOST_PAGES = 50;
/** Interval between two pages: a fifth of a bot's permitted calls per second. */
export const READ_EVERY = 100;

const readMessage = discordMessage.extend({ flags: z.int().default(0) });
type ReadMessage = z.output<typeof readMessage>;

export interface MissedDeps {
  readonly calls: Pick<DiscordCalls, "call">;
  readonly clock: Clock;
  readonly log: Log;
  readonly ears: DiscordInboundContext;
  readonly forwards: Pick<Forwards, "hear">;
}

/** `guild`: null for direct messages. */
export const createDiscordBacklog = (deps: MissedDeps, guild: string | null): Backlog => ({
  missed: async (source) => {
    const { place, root } = source;
    try {
      const read = await pagesOf(deps, source);
      const arrivals = [];
      for (const one of read) {
        const told = guild === null ? one : { ...one, guild_id: guild };
        deps.forwards.hear("MESSAGE_CREATE", told);
        const arrival = admitDispatch("MESSAGE_CREATE", told, deps.ears);
        if (arrival === null) continue;
        const taken = root === null && (await isTaken(deps, place, one));
        arrivals.push({ arrival, position: one.id, isTaken: taken });
        const edit = admitDispatch("MESSAGE_UPDATE", told, deps.ears);
        if (edit !== null) arrivals.push({ arrival: edit, position: one.id, isTaken: taken });
      }
      const ours = root === null ? [] : read.filter((one) => isOurs(one, deps.ears.names));
      return {
        kind: "read",
        arrivals,
        ours: ours.map(({ id, components }) => ({ id, mark: String(components[0]?.id) })),
      };
    } catch (error) {
      return discordFailureOf(error);
    }
  },
  markOf: (wire) => String(messageKey(wire)),
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
  if (after !== null) log.warn("discord: missed messages only partly read", { channel });
  return read;
};

/** Whether a channel message is a question whose thread contains an unknown answer of the bot. */
const isTaken = async (
  { calls, ears: { names, knows } }: MissedDeps,
  channel: string,
  message: ReadMessage,
): Promise<boolean> => {
  const { id, flags } = message;
  const isQuestion = (flags & HAS_THREAD) !== 0 && mentionsBot(message, names);
  if (!isQuestion || knows(channel, id)) return false;
  try {
    const answer = await calls.call("GET", `/channels/${id}/messages`, { query: { limit: String(PAGE) } });
    return messages.parse(answer).some((one) => isOurs(one, names));
  } catch {
    // If the check fails, the question counts as unanswered: a second answer is better than none.
    return false;
  }
};

const isOurs = ({ author, components }: ReadMessage, { isSelf }: Pick<DiscordNames, "isSelf">): boolean =>
  isSelf(author.id) && isMessageKey(components[0]?.id ?? 0);

const messages = z.array(readMessage);
