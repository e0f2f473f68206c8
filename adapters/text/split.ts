/** A Markdown text as messages of a platform's size. Pure, and free of any platform but for the limits that it is given. */

import { advance, type BlockPosition, BLOCK_START } from "../../src/text/markdown/blocks.ts";
import { fillWithinLimit } from "./fill.ts";
import type { LengthLimit } from "./measure.ts";
import { onlyCloses, openingOf } from "./reopen.ts";
import { isBoundary } from "../../src/text/grapheme.ts";

/** One message of a text. What is shown is `opened + text + closed`. */
interface Piece {
  /** What the text has between the piece before and this one, and no piece shows: white space and spent fences. */
  readonly gap: string;
  /** Put before: list items, quotes, a fence or a table's header that the piece begins inside of. */
  readonly opened: string;
  readonly text: string;
  /** Put behind: the end of a fence that the text has not closed yet. */
  readonly closed: string;
}

export interface Split {
  readonly pieces: readonly Piece[];
  /** What follows the last piece and shows nothing. */
  readonly rest: string;
}

/** Messages that fit the limit; none for a text that shows nothing. Rules: `splitPieces`. */
export const splitMarkdown = (text: string, limit: LengthLimit): readonly string[] =>
  splitPieces(text, limit).pieces.map((piece) => `${piece.opened}${piece.text}${piece.closed}`);

/**
 * The same with what was added apart, so that gaps, texts and the rest together are the text.
 *
 * Every piece fits with what was added. Breaks fall between paragraphs, else lines, else, in a line longer than a
 * piece, sentences, words, characters; never in a code point, a grapheme (shorter than a piece), an escape or an
 * entity, and not in inline marks that could be avoided. Fences are closed and reopened, table headers repeated, list
 * items and quotes taken up again. Stable (D22): the pieces of a text but for the last are the first pieces of every
 * longer text that begins with it, which is why a break looks at nothing beyond the first character that does not
 * fit. Time is linear in the text. Throws a RangeError for a limit below 64 units.
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

/** Looks for each line end once, however often it is asked for. */
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
 * skip(text, from, place, …): what a break hides, so that a piece begins with something to see. Pure.
 *
 * Past white space, and past the end of a fence that the piece before has closed. The blanks that a line begins with
 * stay: they tell where it belongs. Null where nothing to see is left.
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

/** A blank that a combining mark stands on is something to see. */
const nextVisible = (text: string, from: number): number | null => {
  const found = text.slice(from).search(/\S/);
  if (found === -1) return null;
  const at = from + found;
  return found === 0 || isBoundary(text.slice(at - 1, at + 2), 0, 1) ? at : at - 1;
};
