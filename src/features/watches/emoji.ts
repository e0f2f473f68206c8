/**
 * A person who adds the emoji of a watch to a message asks about that message, with the person's own rights. The first such
 * question about a message counts, so that a message gets one thread. A reaction that was removed before its turn starts does
 * not count. The threads count toward the limits of the watch.
 */

import { createHash } from "node:crypto";
import * as z from "zod";
import type { Core } from "../../feature.ts";
import { HOUR, type Millis } from "../../machine/id.ts";
import type { Reaction } from "../../ports/chat.ts";
import { pause } from "../../ports/host.ts";
import { ANY_EMOJI, heardEmoji, type Reactions, withdrawalIds } from "../../ports/reactions.ts";
import type { Rows } from "../../ports/rows.ts";
import type { Say } from "../../i18n/say.ts";
import { createTurns } from "../../runtime/bot/turns.ts";
import { emojiKey, emojiText, hasCharacter, isEmojiName } from "../../text/emoji.ts";
import { verdictOf } from "./limits.ts";
import type { Watch, Watcher, WatchRows } from "./store/watches.ts";

/** Time in which a person can take a reaction back. */
const GRACE: Millis = 1_500;

interface ReactionDeps extends Pick<Core, "clock" | "ledger"> {
  readonly watcher: Pick<Watcher, "all">;
  readonly inbox: Pick<Rows, "select">;
  readonly rows: Pick<WatchRows, "begin" | "begunSince">;
  readonly money: (watch: string) => Parameters<typeof verdictOf>[0]["money"];
}

export const createReactions = ({ watcher, clock, ledger, inbox, rows, money }: ReactionDeps): Reactions => {
  const turns = createTurns();
  const isWithdrawn = createIsWithdrawn(inbox);

  const boundOf = ({ id, perHour }: EmojiWatch): "hour" | "money" | null => {
    const now = clock.now();
    const verdict = verdictOf({ now, begun: rows.begunSince(id, now - HOUR), perHour, money: money(id) });
    return verdict.kind === "wait" ? verdict.why : null;
  };

  const threadAt = (surface: string, { place, root }: Reaction) =>
    ledger.find(surface, place, root)?.conversation ?? null;

  const count = async (surface: string, watch: EmojiWatch, reaction: Reaction): Promise<void> => {
    const conversation = threadAt(surface, reaction);
    if (conversation === null) return;
    const { place, root, message } = reaction;
    const now = clock.now();
    const delivery = `emoji/${place}/${message}`;
    const fingerprint = createHash("sha256").update(delivery).digest("hex").slice(0, 32);
    const title = emojiText(watch.source.emoji);
    const event = { watch: watch.id, delivery, fingerprint, title, text: "", link: null, at: now };
    const counted = { conversation, place, message: root, event, count: 1, told: 1, began: now, last: now };
    await rows.begin(counted, `${watch.id}/${delivery}`);
  };

  const take: Reactions["take"] = async (surface, reaction, { isAsked, ask, tell }) => {
    const { place, message, emoji, at } = reaction;
    const watch = emojiWatchesAt(watcher, surface, place).find((one) => one.source.emoji === emoji);
    if (watch === undefined) return "done";
    const id = `emoji/${place}/${message}/${emoji}`;
    if (isAsked(id)) return "done";
    await pause(clock, Math.min(GRACE, at + GRACE - clock.now()));
    return turns.take(watch.id, async () => {
      if (isWithdrawn(surface, reaction)) return "done";
      const bound = boundOf(watch);
      const isNew = threadAt(surface, reaction) === null;
      if (bound === "money" || (bound === "hour" && isNew)) {
        await tell((say) => boundText(bound, say));
        return "done";
      }
      const asked = await ask(id, watch.instructions ?? USUAL);
      if (asked === "done" && isNew) await count(surface, watch, reaction);
      return asked;
    });
  };

  return { take };
};

const boundText = (bound: "hour" | "money", say: Say): string =>
  bound === "hour"
    ? say("The watch of this emoji has reached its limit of threads an hour. Mention me in a reply instead.")
    : say("The watch of this emoji has spent its budget for today. Mention me in a reply instead.");

/**
 * Slack may send a withdrawal before its reaction, and numbers both. Discord sends them in their order, so a withdrawal that
 * was handled belongs to an earlier reaction. Handled events keep their ids for days, also over a restart.
 */
const createIsWithdrawn = (inbox: Pick<Rows, "select">) => {
  const select = inbox.select(
    "SELECT id, body IS NOT NULL AS waits FROM inbox WHERE surface = @surface AND id >= @from AND id < @until",
  );
  return (surface: string, reaction: Reaction): boolean =>
    // On Discord, the channel of a reply is its thread.
    [reaction.place, reaction.root].some((channel) =>
      withdrawalIds({ ...reaction, channel }).some((from) =>
        withdrawals.parse(select({ surface, from, until: `${from}${LAST}` })).some(({ id, waits }) => {
          const moment = Number(id.slice(from.length));
          return Number.isNaN(moment) ? waits : moment > reaction.moment;
        }),
      ),
    );
};

/** Sorts after every character of an id. */
const LAST = "\u{10FFFF}";

const withdrawals = z.array(z.object({ id: z.string(), waits: z.coerce.boolean() }));

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
