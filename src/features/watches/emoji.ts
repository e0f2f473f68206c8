/**
 * A person who adds the emoji of a watch to a message asks about that message, with the person's own rights. The first such
 * question about a message counts, so that a message gets one thread. A reaction that was removed before its turn starts does
 * not count.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Withdrawal } from "../../ports/chat.ts";
import { type Clock, pause } from "../../ports/host.ts";
import { ANY_EMOJI, heardEmoji, type Reactions, withdraws } from "../../ports/reactions.ts";
import { emojiKey, hasCharacter, isEmojiName } from "../../text/emoji.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import type { Watch, Watcher } from "./store/watches.ts";

/** Time in which a person can take a reaction back. */
const GRACE: Millis = 1_500;

interface ReactionDeps {
  readonly watcher: Pick<Watcher, "all">;
  readonly chat: Pick<ChatStore, "unhandled">;
  readonly clock: Clock;
}

export const createReactions = ({ watcher, chat, clock }: ReactionDeps): Reactions => {
  /** Moments of withdrawals, because Slack may send a withdrawal before its reaction. */
  const withdrawn = createLruCache<number>(1_000);

  const take: Reactions["take"] = async (surface, reaction, { isAsked, ask }) => {
    const { place, root, message, emoji, at } = reaction;
    // On Discord, the channel of a reply is its thread.
    const spots = [place, root].map((channel) => ({ ...reaction, channel }));
    const watch = emojiWatchesAt(watcher, surface, place).find((one) => one.source.emoji === emoji);
    if (watch === undefined) return "done";
    const id = `emoji/${place}/${message}/${emoji}`;
    if (isAsked(id)) return "done";
    await pause(clock, Math.min(GRACE, at + GRACE - clock.now()));
    // The withdrawal waits in the reaction's lane, or came earlier.
    const isWithdrawn =
      (withdrawn.get(keyOf(surface, reaction)) ?? -Infinity) > reaction.moment ||
      chat.unhandled(surface).some((row) => spots.some((spot) => withdraws(row.id, spot)));
    return isWithdrawn ? "done" : ask(id, watch.instructions ?? USUAL);
  };

  return {
    take,
    withdraw: (surface, reaction) => withdrawn.set(keyOf(surface, reaction), reaction.moment),
  };
};

const keyOf = (surface: string, { place, message, emoji, person }: Withdrawal): string =>
  [surface, place, message, emoji, person].join("/");

const USUAL = "Look into this message.";

type EmojiWatch = Watch & { readonly source: { readonly kind: "emoji"; readonly emoji: string } };

const emojiWatchesAt = (
  watcher: Pick<Watcher, "all">,
  surface: string,
  place: string,
): readonly EmojiWatch[] =>
  watcher
    .all()
    .flatMap((one) =>
      one.surface === surface &&
      one.place === place &&
      one.standing.kind === "on" &&
      one.source.kind === "emoji"
        ? [{ ...one, source: one.source }]
        : [],
    );

/** `by`: as in `AppPosts.hears`. */
export const hearsEmoji = (
  watcher: Pick<Watcher, "all">,
  surface: string,
  place: string,
  [by = ""]: readonly string[],
): boolean =>
  by.startsWith(ANY_EMOJI) &&
  emojiWatchesAt(watcher, surface, place).some(
    ({ source }) => by === ANY_EMOJI || by === heardEmoji(source.emoji),
  );

export type EmojiRead =
  | { readonly kind: "emoji"; readonly emoji: string }
  /** `stops` means that the emoji already stops a turn. */
  | { readonly kind: "unknown" | "stops" };

/** Reads an emoji as people write it on a platform. */
export const readEmoji = (surface: string, typed: string): EmojiRead => {
  const emoji = emojiKey(typed);
  const isKnown = emoji !== null && (surface === "discord" ? hasCharacter(emoji) : isEmojiName(emoji));
  if (!isKnown) return { kind: "unknown" };
  return emoji === STOPS && surface === "slack" ? { kind: "stops" } : { kind: "emoji", emoji };
};

const STOPS = "x";
