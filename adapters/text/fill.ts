/** fill(text, start, …): finds the end of one piece and the start of the next. Pure; reads the text once. */

import { type CutPoint, inLineCut, lineBreak } from "./cut.ts";
import { type LengthLimit, measure, width } from "./measure.ts";
import { closing, closingIn, type PieceOpening } from "./fence-reopen.ts";
import { advance, type BlockPosition, staysIn } from "../../src/text/markdown/blocks.ts";

interface Filled {
  /** Index after the last visible character of the piece. */
  readonly end: number;
  readonly closed: string;
  /** Start of the remaining text, and its block position. */
  readonly resume: number;
  readonly place: BlockPosition;
}

interface Line {
  readonly at: number;
  /** The line, cut beyond the reach of any piece. */
  readonly text: string;
  readonly before: BlockPosition;
  readonly used: number;
}

/** `lineEnd(at)`: end of the line that contains `at`. */
export const fillWithinLimit = (
  text: string,
  start: number,
  opened: PieceOpening,
  limit: LengthLimit,
  lineEnd: (at: number) => number,
): Filled => {
  const { max, units } = limit;
  const breaks: CutPoint[] = [];
  let line: Line = {
    at: start,
    text: text.slice(start, Math.min(lineEnd(start), start + 2 * max + 2)),
    before: opened.place,
    used: measure(opened.text, units),
  };
  let shown = { end: start, used: line.used, closed: "", kind: "other" };
  let blank = false;
  for (;;) {
    const { at, before } = line;
    const size = line.text.trimEnd().length;
    const end = lineEnd(at);
    const cut = at + line.text.length < end;
    if (size === 0 && !cut && end < text.length) {
      blank = true;
      line = lineAfter(text, line, end, advance(before, line.text), limit, lineEnd);
      continue;
    }
    const over = size === 0 && !cut ? null : overflow(text, line, size, cut, limit);
    const seen = over === null ? line.text : text.slice(at, Math.min(over + 1, at + line.text.length));
    const after = advance(before, seen);
    if (at > start && (size > 0 || over !== null)) {
      const fits = shown.used + measure(closing(before, limit), units) <= max;
      const fill = shown.used / max;
      const kind = kindOf(before, after, seen, blank, shown.kind);
      if (fits || kind === "bare") breaks.push({ at, end: shown.end, place: before, kind, fill });
    }
    if (over !== null) return cutAt(text, start, over, line, breaks, limit);
    if (size > 0) {
      const used = line.used + measure(line.text.slice(0, size), units);
      const whole = closing(after, limit);
      const fits = end < text.length && used + measure(whole, units) <= max;
      const closed = fits ? whole : closingIn(before, line.text, limit)(size);
      shown = { end: at + size, used, closed, kind: madeBy(before, after) };
    }
    if (end === text.length || cut) return { ...shown, resume: text.length, place: after };
    blank = false;
    line = lineAfter(text, line, end, after, limit, lineEnd);
  }
};

const lineAfter = (
  text: string,
  line: Line,
  end: number,
  before: BlockPosition,
  { max, units }: LengthLimit,
  lineEnd: (at: number) => number,
): Line => ({
  at: end + 1,
  text: text.slice(end + 1, Math.min(lineEnd(end + 1), end + 2 * max + 3)),
  before,
  used: line.used + measure(line.text, units) + 1,
});

/** Returns the first visible character that does not fit, counting the closing of the piece. */
const overflow = (
  text: string,
  line: Line,
  size: number,
  cut: boolean,
  limit: LengthLimit,
): number | null => {
  const { max, units } = limit;
  const fenced = line.before.leaf.kind === "fence" || /```|~~~/.test(line.text);
  const shown = line.text.slice(0, size);
  const room = fenced ? MOST_CLOSING : 0;
  if (!cut && line.used + measure(shown, units) + room <= max) return null;
  const close = closingIn(line.before, line.text, limit);
  let used = line.used;
  let closed = "";
  let closedSize = 0;
  for (let at = 0; at < size; ) {
    const codePoint = line.text.codePointAt(at) ?? 0;
    const next = at + (codePoint > 0xffff ? 2 : 1);
    used += width(codePoint, units);
    if (!isBlank(codePoint)) {
      const needed = close(next);
      if (needed !== closed) closedSize = measure(needed, units);
      closed = needed;
      if (used + closedSize > max) return line.at + at;
    }
    at = next;
  }
  return cut ? nextVisible(text, line.at + line.text.length) : null;
};

const cutAt = (
  text: string,
  start: number,
  over: number,
  line: Line,
  breaks: readonly CutPoint[],
  limit: LengthLimit,
): Filled => {
  const { at, before } = line;
  const first = at + line.text.length - line.text.trimStart().length;
  const loose = lineBreak(text, start, over, breaks);
  const found = loose ?? (over <= first ? (breaks.at(-1) ?? null) : null);
  if (found !== null) {
    const closed = closing(found.place, limit);
    return { end: withoutHardBreak(text, start, found), closed, resume: found.at, place: found.place };
  }
  const cut = inLineCut(text, first, over, before.leaf.kind === "fence");
  const part = text.slice(at, cut).trimEnd();
  const end = at + part.length;
  const place = { ...advance(before, part), inLine: true };
  return { end, closed: closingIn(before, line.text, limit)(part.length), resume: end, place };
};

/** Removes the backslash of a hard line break together with its line end. */
const withoutHardBreak = (text: string, start: number, { end, place }: CutPoint): number => {
  const slashes = /\\+$/.exec(text.slice(Math.max(start, end - 64), end))?.[0].length ?? 0;
  if (slashes % 2 === 0 || place.leaf.kind === "fence" || !/^\r?\n/.test(text.slice(end, end + 2)))
    return end;
  const shorter = text.slice(start, end - 1).trimEnd().length;
  return shorter === 0 ? end : start + shorter;
};

const kindOf = (
  before: BlockPosition,
  after: BlockPosition,
  seen: string,
  blank: boolean,
  previous: string,
): CutPoint["kind"] => {
  if (previous === "opener") return staysIn(before, seen) ? "bare" : "glued";
  if (before.leaf.kind === "fence" && after.leaf === before.leaf) return "line";
  if (previous === "heading" || (before.leaf.kind === "table" && before.leaf.bare)) return "glued";
  if (before.leaf.kind === "head" && /^[\s>|:-]*$/.test(seen)) return "glued";
  const opens = after.leaf !== before.leaf && (after.leaf.kind === "fence" || after.leaf.kind === "heading");
  return blank || opens || previous === "closer" ? "block" : "line";
};

/** Returns the kind of a line, which determines the break after the line. */
const madeBy = (before: BlockPosition, after: BlockPosition): "heading" | "opener" | "closer" | "other" => {
  if (after.leaf.kind === "heading") return "heading";
  if (after.leaf.kind === "fence" && after.leaf !== before.leaf) return "opener";
  return before.leaf.kind === "fence" && after.leaf.kind === "none" ? "closer" : "other";
};

const isBlank = (codePoint: number): boolean =>
  (codePoint <= 0x20 || codePoint >= 0xa0) && /\s/.test(String.fromCodePoint(codePoint));

const nextVisible = (text: string, from: number): number | null => {
  const found = text.slice(from).search(/\S/);
  return found === -1 ? null : from + found;
};

/** Upper bound for the closing of a fence, in any units: its frame and its run. */
const MOST_CLOSING = 200;
