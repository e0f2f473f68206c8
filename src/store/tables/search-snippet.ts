/**
 * A piece of a text around the first word that was searched for. FTS5 has one of its own, whose time grows with the
 * square of the matches: a long message of one word would hold the event loop for seconds. Pure.
 */

import type { Hit } from "../../ports/store.ts";
import { fold, type Query, wordsIn } from "./search-query.ts";

/** Characters, of what stands before the first match and of the whole. */
const BEFORE = 60;
const LENGTH = 220;

export const snippetOf = (text: string, { words }: Query): Hit["snippet"] => {
  const isWanted = (word: string): boolean => {
    const folded = fold(word);
    return words.some((one) => (one.isBeginning ? folded.startsWith(one.word) : folded === one.word));
  };
  const first = firstOf(text, isWanted);
  const from = first <= BEFORE ? 0 : afterSpace(text, first - BEFORE, first);
  const to = from + LENGTH >= text.length ? text.length : beforeSpace(text, from + LENGTH, first);
  const piece = text.slice(from, to).toWellFormed();
  const parts: { text: string; isMatch: boolean }[] = [];
  const add = (part: string, isMatch: boolean): void => {
    if (part !== "") parts.push({ text: part, isMatch });
  };
  let done = 0;
  for (const { 0: word, index } of wordsIn(piece)) {
    if (!isWanted(word)) continue;
    add((from > 0 && done === 0 ? "… " : "") + piece.slice(done, index), false);
    add(word, true);
    done = index + word.length;
  }
  add(piece.slice(done) + (to < text.length ? " …" : ""), false);
  return parts;
};

const firstOf = (text: string, isWanted: (word: string) => boolean): number => {
  for (const { 0: word, index } of wordsIn(text)) if (isWanted(word)) return index;
  return 0;
};

const afterSpace = (text: string, from: number, most: number): number => {
  const space = text.indexOf(" ", from);
  return space === -1 || space >= most ? from : space + 1;
};

const beforeSpace = (text: string, to: number, least: number): number => {
  const space = text.lastIndexOf(" ", to);
  return space <= least ? to : space;
};
