/** skip(text, from, place, …): what a break hides, so that a piece begins with something to see. Pure. */

import { advance, type Place } from "../../src/text/markdown/blocks.ts";
import { isBoundary } from "../../src/text/grapheme.ts";
import type { Limit } from "./measure.ts";
import { onlyCloses } from "./reopen.ts";

/**
 * Past white space, and past the end of a fence that the piece before has closed. The blanks that a line begins with
 * stay: they tell where it belongs. Null where nothing to see is left.
 */
export const skip = (
  text: string,
  from: number,
  place: Place,
  limit: Limit,
  lineEnd: (at: number) => number,
): { readonly start: number; readonly place: Place } | null => {
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
