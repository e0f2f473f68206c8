/**
 * stableOf(text): returns the start of a growing Markdown text whose display no later text can change (D22).
 * This includes whole lines outside of open fences and tables, and the words of the last line before any open
 * mark. Pure and linear.
 */

import { advance, type BlockPosition, BLOCK_START } from "../../src/text/markdown/blocks.ts";

export const stableOf = (text: string): string => {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  let place = BLOCK_START;
  let at = 0;
  let end = 0;
  for (const line of lines) {
    const next = advance(place, line);
    // The lines turned out to be no table, or the table has ended.
    if (isTable(place) && next.leaf.kind !== "table") end = at;
    place = next;
    at += line.length + 1;
    if (isClosed(place)) end = at;
  }
  return text.slice(0, end === at && isClosed(place) ? at + stableIn(place, last) : end);
};

const isClosed = (place: BlockPosition): boolean => place.leaf.kind !== "fence" && !isTable(place);

const isTable = ({ leaf }: BlockPosition): boolean => leaf.kind === "head" || leaf.kind === "table";

/** Returns the length of the stable part of an unfinished line. */
const stableIn = (place: BlockPosition, line: string): number => {
  if (!isClosed(advance(place, line))) return 0;
  let end = 0;
  let hasWord = false;
  let ticks = 0;
  let labels = 0;
  let angles = 0;
  const open = new Set<string>();
  for (const { 0: mark, index } of line.matchAll(MARK)) {
    // The escaped character may open a mark for some parsers only.
    if (mark === "\\") return end;
    if (mark.startsWith("`")) {
      if (ticks === 0) ticks = mark.length;
      else if (ticks === mark.length) ticks = 0;
    } else if (ticks > 0) continue;
    else if (mark.trim() === "") {
      if (hasWord && labels + angles + open.size === 0) end = index;
    } else if (LETTER.test(mark)) hasWord = true;
    else if (mark === "[") labels += 1;
    else if (mark === "]") labels = Math.max(0, labels - 1);
    else if (mark === "<") angles += 1;
    else if (mark === ">") angles = Math.max(0, angles - 1);
    else if (PAIRS.has(mark) && !open.delete(mark)) open.add(mark);
  }
  return end;
};

/** A line's marker contains no letter. */
const LETTER = /\p{L}/u;
const PAIRS: ReadonlySet<string> = new Set(["**", "__", "~~"]);

/** Marks that may open or close a part, words and blanks. */
const MARK = /\\|`+|\*\*|__|~~|[[\]<>]|[\w\p{L}]+|\s+/gu;
