/**
 * Snippet of a text around the first match. The snippet function of FTS5 takes time that grows with the
 * square of the matches: a long message of one word would block the event loop for seconds. Pure.
 */

import type { IndexHit } from "./ports.ts";

/** Separator before and after each match. */
export const MARK = "\u0001";

/** Maximum number of characters before the first match, and in total. */
const BEFORE = 60;
const LENGTH = 220;

export const snippetOf = (marked: string): IndexHit["snippet"] => {
  /** Parts at odd positions are matches. */
  const parts = marked.split(MARK).map((part) => part.replaceAll(/\p{Cc}+/gu, " "));
  const text = parts.join("");
  const first = parts.length === 1 ? 0 : (parts[0]?.length ?? 0);
  const from = first <= BEFORE ? 0 : afterSpace(text, first - BEFORE, first);
  const to = from + LENGTH >= text.length ? text.length : beforeSpace(text, from + LENGTH, first);
  let at = 0;
  return parts
    .map((part, n) => {
      const begin = at;
      at += part.length;
      const piece = part.slice(Math.max(from - begin, 0), Math.max(to - begin, 0)).toWellFormed();
      const before = n === 0 && from > 0 ? "… " : "";
      const behind = n === parts.length - 1 && to < text.length ? " …" : "";
      return { text: before + piece + behind, match: n % 2 === 1 };
    })
    .filter(({ text: shown }) => shown !== "");
};

const afterSpace = (text: string, from: number, most: number): number => {
  const space = text.indexOf(" ", from);
  return space === -1 || space >= most ? from : space + 1;
};

const beforeSpace = (text: string, to: number, least: number): number => {
  const space = text.lastIndexOf(" ", to);
  return space <= least ? to : space;
};
