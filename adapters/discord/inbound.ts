/**
 * What Discord sends: which of it is kept, and what a message says. Pure. Edits, deletions and what bots and webhooks
 * write are nobody's input (design.md 4).
 */

import type { Arrival, Said } from "../../src/runtime/ports-chat.ts";
import type { Identity } from "./identity.ts";
import { type Interaction, readInteraction } from "./read.ts";
import type { Spot } from "./threads.ts";
import { type DiscordMessage, discordMessage, filesOf, shownOf, textOf } from "./wire.ts";

export interface Ears {
  readonly self: Identity;
  /** The channel of an open thread; null where the id is no thread that was told of. */
  readonly parent: (channel: string) => string | null;
  /** The thread is a conversation's. */
  readonly knows: (place: string, root: string) => boolean;
  /** The message only stops: it does not wait behind others. */
  readonly stops: (text: string) => boolean;
}

/** Null for what needs no handling. */
export const admit = (type: string, data: unknown, ears: Ears): Arrival | null => {
  switch (type) {
    case "MESSAGE_CREATE":
      return admitMessage(data, ears);
    case "INTERACTION_CREATE": {
      const one = readInteraction(data);
      return one === null
        ? null
        : { id: `interaction/${one.id}`, lane: `interaction/${one.id}`, body: bodyOf(type, data) };
    }
    default:
      return null;
  }
};

const admitMessage = (data: unknown, { self, parent, knows, stops }: Ears): Arrival | null => {
  const read = discordMessage.safeParse(data);
  if (!read.success) return null;
  const message = read.data;
  const place = parent(message.channel_id);
  const spot = placeOf(message, place);
  const said = saidOf(message, spot, self);
  if (said === null || !(said.addressed || knows(spot.place, spot.root ?? ""))) return null;
  const id = said.id;
  const lane = stops(said.text) ? `stop/${id}` : `${spot.place}/${spot.root ?? said.message}`;
  return { id, lane, body: bodyOf("MESSAGE_CREATE", data) };
};

/** A copy: the client ties members and users of what it has told into circles. */
const bodyOf = (type: string, data: unknown): Arrival["body"] => ({ type, data: structuredClone(data) });

const placeOf = ({ channel_id: id, guild_id: guild }: DiscordMessage, parent: string | null): Spot => {
  if (guild === undefined) return { place: id, root: id };
  return parent === null ? { place: id, root: null } : { place: parent, root: id };
};

/** A plain message and a reply; joins, pins and boosts are no words. */
const WORDS: readonly number[] = [0, 19];

/** What a message says; null where no person of interest wrote it. */
export const saidOf = (message: DiscordMessage, spot: Spot, { bot }: Identity): Said | null => {
  const { author, guild_id: guild, webhook_id: webhook, channel_id: channel, id } = message;
  if (author.bot || webhook !== undefined || !WORDS.includes(message.type)) return null;
  const files = filesOf(message);
  const shown = shownOf(message);
  const text = textOf(message, bot);
  const direct = guild === undefined;
  const isReply = message.referenced_message?.author.id === bot;
  const isMention = message.mentions.some((one) => one.id === bot);
  if (text === "" && files.length === 0 && shown.length === 0 && !isMention) return null;
  return {
    ...spot,
    id: `message/${channel}/${id}`,
    direct,
    message: id,
    person: author.id,
    text,
    addressed: isMention || isReply || direct,
    files,
    shown,
    about: null,
  };
};

export type Kept =
  | { readonly kind: "message"; readonly message: DiscordMessage }
  | { readonly kind: "interaction"; readonly interaction: Interaction };

/** What was kept, read again. */
export const readKept = (body: unknown): Kept | null => {
  if (typeof body !== "object" || body === null || !("type" in body) || !("data" in body)) return null;
  if (body.type === "MESSAGE_CREATE") {
    const read = discordMessage.safeParse(body.data);
    return read.success ? { kind: "message", message: read.data } : null;
  }
  const interaction = readInteraction(body.data);
  return interaction === null ? null : { kind: "interaction", interaction };
};
