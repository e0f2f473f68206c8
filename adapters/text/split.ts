/**
 * Splits Markdown into messages of a platform's size. Pure, and independent of platforms except for the given
 * limits.
 */

import { advance, type BlockPosition, BLOCK_START } from "../../src/text/markdown/blocks.ts";
import { fillWithinLimit } from "./fill.ts";
import type { LengthLimit } from "./measure.ts";
import { onlyCloses, openingOf } from "./fence-reopen.ts";
import { isBoundary } from "../../src/text/grapheme.ts";

/** One message of a text, displayed as `opened + text + closed`. */
interface Piece {
  /**
   * Text between the previous piece and this one that no piece displays: white space and ends of closed
   * fences.
   */
  readonly gap: string;
  /** Added before: list items, quotes, a fence or a table header around the start of the piece. */
  readonly opened: string;
  readonly text: string;
  /** Added after: the end of a fence that the text has not closed yet. */
  readonly closed: string;
}

export interface Split {
  readonly pieces: readonly Piece[];
  /** Invisible text after the last piece. */
  readonly rest: string;
}

/** Returns messages that fit the limit; none if nothing is visible. Rules: `splitPieces`. */
export const splitMarkdown = (text: string, limit: LengthLimit): readonly string[] =>
  splitPieces(text, limit).pieces.map((piece) => `${piece.opened}${piece.text}${piece.closed}`);

/**
 * Splits text and returns additions separately: gaps, texts and the rest together are the original text.
 *
 * Every piece fits, including its additions. Breaks are between paragraphs if possible, otherwise between
 * lines. In a line longer than a piece, breaks are between sentences, words or characters. No break is inside
 * a code point, a grapheme (shorter than a piece), an escape or an entity, or inside avoidable inline marks.
 * Fences are closed and reopened, table headers repeated, list items and quotes continued.
 *
 * Stable (D22): all pieces of a text except the last remain the first pieces of every longer text with the
 * same start. So a break depends on no text after the first character that does not fit. Takes linear time.
 * Throws a RangeError for a limit below 64 units.
 */
export const splitPieces = (text: string, limit: LengthLimit): Split => {
  if (limit.max < 64) throw new RangeError("limit below 64 units");
  const lineEnd = lineEnds(text);
  const pieces: Piece[] = [];
  let from = 0;
  let at = { resume: 0, place: BLOCK_START };
  for (;;) {
    const next = skip(text, at.resume, at.place, limit, lineEnd);
    if (next === null) return { pieces, rest: text.slice(from) };
    const { start } = next;
    const known = text.slice(start, Math.min(lineEnd(start), start + Math.min(64, limit.max >> 4)));
    const opened = openingOf(next.place, known, limit);
    const filled = fillWithinLimit(text, start, opened, limit, lineEnd);
    const { end, closed } = filled;
    pieces.push({ gap: text.slice(from, start), opened: opened.text, text: text.slice(start, end), closed });
    from = end;
    at = filled;
  }
};

/** Searches each line end once, regardless of the number of calls. */
const lineEnds = (text: string): ((at: number) => number) => {
  let from = 0;
  let end = -1;
  return (at) => {
    if (at < from || at > end) {
      const found = text.indexOf("\n", at);
      from = at;
      end = found === -1 ? text.length : found;
    }
    return end;
  };
};

/**
 * skip(text, from, place, …): skips text that a break hides, so that a piece starts with visible text. Pure.
 *
 * Skips white space, and the end of a fence that the previous piece has closed. Blanks at the start of a line
 * remain, because they determine its block. Null if no visible text is left.
 */
const skip = (
  text: string,
  from: number,
  place: BlockPosition,
  limit: LengthLimit,
  lineEnd: (at: number) => number,
): { readonly start: number; readonly place: BlockPosition } | null => {
  let at = from;
  let here = place;
  for (;;) {
    const seen = nextVisible(text, at);
    if (seen === null) return null;
    const newline = text.slice(at, seen).lastIndexOf("\n");
    if (newline !== -1) {
      here = advance({ ...here, inLine: false }, "");
      at += newline + 1;
    }
    if (here.inLine) return { start: seen, place: here };
    const end = lineEnd(at);
    const line = text.slice(at, end);
    if (!onlyCloses(here, line, end === text.length, limit)) {
      return { start: seen - at > limit.max / 16 ? seen : at, place: here };
    }
    if (end === text.length) return null;
    here = advance(here, line);
    at = end + 1;
  }
};

/** A blank with a combining mark counts as visible. */
const nextVisible = (text: string, from: number): number | null => {
  const found = text.slice(from).search(/\S/);
  if (found === -1) return null;
  const at = from + found;
  return found === 0 || isBoundary(text.slice(at - 1, at + 2), 0, 1) ? at : at - 1;
};
