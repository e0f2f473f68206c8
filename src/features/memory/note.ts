/** Rules of notes (D57). Pure. */

import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import { DAY } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";

/** In characters. */
export const MAX_NOTE = 300;
export const MAX_NOTES = 60;
/** Tokens of the notes in a request, at four bytes each. */
const MAX_TOKENS = 2_000;
const BYTES_PER_TOKEN = 4;
/** A note without citations is confirmed after this time. */
export const CONFIRM_AFTER: Millis = 90 * DAY;
export const REFUSALS_A_WEEK = 3;
export const REFUSALS_WITHIN: Millis = 7 * DAY;

export type NoteCitation =
  | {
      readonly kind: "lines";
      readonly file: string;
      readonly from: number;
      readonly to: number;
      readonly commit: string;
    }
  | { readonly kind: "symbol"; readonly name: string };

export interface NotePerson {
  readonly id: PersonId;
  readonly name: string | null;
}

export interface ChannelNote extends ChannelAddress {
  readonly id: string;
  /** Number in the channel, as people name the note. */
  readonly number: number;
  /** Location of the repository that the note is about; null for a note about the channel. */
  readonly repo: string | null;
  /** Whether everyone on the platform could read the channel when the note was made. */
  readonly isPublic: boolean;
  /** Server of the channel; null on platforms with only one, and in direct messages. */
  readonly server: string | null;
  readonly text: string;
  /** Person whose words the text has: the author, or the last editor. */
  readonly wrote: PersonId;
  readonly author: NotePerson;
  /** Null if the author added the note. */
  readonly approver: NotePerson | null;
  readonly at: Millis;
  readonly source: ConversationId | null;
  /** Address of the author's message on the platform; null if unknown. */
  readonly messageLink: string | null;
  readonly expires: Millis | null;
  readonly isPinned: boolean;
  readonly cited: readonly NoteCitation[];
  /** Commit of the last check; null before the first. */
  readonly looked: string | null;
  /** Why the note is not used, as a sentence; null while it is used. */
  readonly stale: string | null;
  readonly sure: Millis;
  readonly asked: Millis | null;
}

export interface NoteChange extends ChannelAddress {
  readonly note: string;
  readonly number: number;
  readonly at: Millis;
  readonly what: (typeof NOTE_CHANGES)[number];
  readonly person: NotePerson | null;
  /** Text before the change; null if the change kept the text, or if the text was erased. */
  readonly before: string | null;
}

export const NOTE_CHANGES = [
  "added",
  "remembered",
  "edited",
  "removed",
  "pinned",
  "unpinned",
  "stale",
  "confirmed",
] as const;

/** Removes invisible characters and line breaks, so that a note is one line. */
export const noteText = (typed: string): string =>
  typed
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();

/** For lines of the host, in which a note must not show a link with another text. */
export const shownNote = (text: string): string =>
  text.replaceAll("](", "] (").replaceAll("<", "‹").replaceAll(">", "›");

export const noteLength = (text: string): number => Array.from(text).length;

/** Equal for texts that differ only in case, spaces and punctuation. */
export const noteFingerprint = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

export const isUsable = ({ stale, expires }: ChannelNote, now: Millis): boolean =>
  stale === null && (expires === null || expires > now);

/** Pinned notes first, then the newest, as many as fit into MAX_TOKENS. */
export const chosenNotes = (notes: readonly ChannelNote[], now: Millis): readonly ChannelNote[] => {
  let left = MAX_TOKENS * BYTES_PER_TOKEN;
  return notes
    .filter((note) => isUsable(note, now))
    .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.at - a.at || (a.id < b.id ? -1 : 1))
    .filter((note) => {
      left -= new TextEncoder().encode(note.text).length + FRAME;
      return left >= 0;
    });
};

/** Bytes of author, date and mark around a note. */
const FRAME = 80;

/** Time until which the agent proposes no more notes in a channel; null if it may propose. */
export const pausedUntil = (refusals: readonly Millis[], now: Millis): Millis | null => {
  const recent = refusals.filter((at) => at > now - REFUSALS_WITHIN && at <= now).toSorted((a, b) => b - a);
  const third = recent[REFUSALS_A_WEEK - 1];
  return third === undefined ? null : third + REFUSALS_WITHIN;
};

/** Whether a note without citations has to be confirmed by its author. */
export const isDue = ({ cited, sure, asked, stale }: ChannelNote, now: Millis): boolean =>
  stale === null && cited.length === 0 && sure + CONFIRM_AFTER <= now && (asked === null || asked < sure);
