/**
 * Text for chat, shared by every surface: split to a platform's size, made harmless. Pure, and
 * free of any platform but for the limits that it is given.
 */

import { START } from "../../src/text/markdown/blocks.ts";
import { fill } from "./fill.ts";
import type { Limit } from "./measure.ts";
import { createNeutral, neutralLines, oneEnd } from "./neutral.ts";
import { open } from "./reopen.ts";
import { skip } from "./skip.ts";

export { doingText, stepText } from "./step.ts";
export { agentLine, agentLines, agentsEnded, agentsHead } from "./agents.ts";
export { filePart, safeName, sharedFile, sizeText } from "./files.ts";
export { withLongCode } from "./long.ts";
export { type Changes, changesOf, fenced, shownDiff, withoutShown } from "./changes.ts";
export { measure } from "./measure.ts";
export { changedText, markCitations, sourcesText } from "./citations.ts";
export { shownCode, shownWords } from "../../src/text/invisible.ts";
export { newestOf } from "./newest.ts";
export { stableOf } from "./stable.ts";
export { commitLink } from "./permalink.ts";

/** One message of a text. What is shown is `opened + text + closed`. */
export interface Piece {
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

/** A Markdown text as messages that fit the limit; none for a text that shows nothing. Rules: `splitPieces`. */
export const splitMarkdown = (text: string, limit: Limit): readonly string[] =>
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
export const splitPieces = (text: string, limit: Limit): Split => {
  if (limit.max < 64) throw new RangeError("limit below 64 units");
  const lineEnd = lineEnds(text);
  const pieces: Piece[] = [];
  let from = 0;
  let at = { resume: 0, place: START };
  for (;;) {
    const next = skip(text, at.resume, at.place, limit, lineEnd);
    if (next === null) return { pieces, rest: text.slice(from) };
    const { start } = next;
    const known = text.slice(start, Math.min(lineEnd(start), start + Math.min(64, limit.max >> 4)));
    const opened = open(next.place, known, limit);
    const filled = fill(text, start, opened, limit, lineEnd);
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
 * Model text that can do nothing in a chat but be read. Still Markdown; line by line, so that text that only grew
 * keeps all its lines but the last.
 *
 * - Mentions ping nobody: `<@U1>` becomes `@U1`; `@everyone`, `@here`, `@channel`, `@group` get a zero-width space.
 * - Links name their real host and only that can be clicked: `text ([host](<url>))`; bare ones stand in angle brackets
 *   (no embeds), user names in them are dropped, hosts are in ASCII. An image is a link. Anything but http and https,
 *   and every invite, is shown as code.
 * - No HTML: tags and comments are escaped and visible. No link definitions. No invisible characters but those that
 *   emoji and joining scripts need; nothing that turns the direction of writing.
 * - No line in Discord's small print, which is the host's: `-#` at a line's start is escaped.
 * - Code is left alone but for what `codeLine` names. Fences are written in one form (three backticks, closed, indented
 *   as their list item), code spans close on their line and are at most 300 long, all other backticks are escaped: so
 *   no platform finds text where this function found code.
 *
 * `links`: the only addresses that are links then; others are shown as code. Absent where nobody looked which may be.
 *
 * Idempotent. Takes time linear in the text.
 */
export const neutralise = (text: string, links?: readonly string[]): string =>
  neutralLines(text, links).join("\n");

/** `neutralise` for a text that is still being written: what was given out stays as it is. */
export const createNeutraliser = (links?: readonly string[]) => {
  const growing = createNeutral(links);
  let rest = "";
  return {
    /** More of the text, as it comes; answers what of it can be shown now: whole lines, each with its line end. */
    write: (more: string): string => {
      const text = rest + more;
      // Half of a line end, perhaps.
      const held = text.endsWith("\r") ? "\r" : "";
      const lines = oneEnd(text.slice(0, text.length - held.length)).split("\n");
      rest = `${lines.pop() ?? ""}${held}`;
      return lines
        .flatMap(growing.line)
        .map((line) => `${line}\n`)
        .join("");
    },
  };
};
