/** Text after an unchecked citation is held back (TH2). One check runs at a time. */

import type { CheckedPrefix } from "../../ports/surface.ts";
import { type Citation, citationKey, type ParsedCitation } from "../../text/citation.ts";
import { mayCite } from "../../text/mentions.ts";
import type { Linkable } from "../../thread/linkable.ts";
import { NARRATION } from "../../thread/turn-post.ts";
import { distinct } from "./cited-words.ts";

/** Code units of new text that are worth a check, after the first visible text. */
const STEP = 10;

/** Accepts the whole text so far and returns how far it is checked. `later` is called when a check ends afterwards. */
export const createLiveLookup = (
  check: (cited: readonly ParsedCitation[]) => Promise<readonly Citation[]>,
  later: (looked: CheckedPrefix) => void,
  linkable: Linkable,
) => {
  const known = new Set<string>();
  let looked: CheckedPrefix = { upTo: 0, citations: [], links: [] };
  let isBusy = false;

  const grown = (text: string): CheckedPrefix => {
    const step = looked.upTo <= NARRATION ? 1 : STEP;
    if (isBusy || text.length - looked.upTo < step) return looked;
    const end = startOfLastWord(text);
    if (end - looked.upTo < step) return looked;
    const fresh = cited(text, end).filter((one) => !known.has(citationKey(one)));
    if (fresh.length === 0) looked = { ...looked, upTo: end, links: linked(text, end) };
    else void look(fresh, end, text);
    return looked;
  };

  const grownLines = (text: string, end: number): string =>
    text.slice(text.lastIndexOf("\n", looked.upTo - 1) + 1, end);

  const cited = (text: string, end: number): readonly ParsedCitation[] =>
    mayCite(grownLines(text, end)) ? distinct(text.slice(0, end)) : [];

  /** An address never spans two lines. */
  const linked = (text: string, end: number): readonly string[] => {
    const more = linkable(grownLines(text, end)).filter((link) => !looked.links.includes(link));
    return more.length === 0 ? looked.links : [...looked.links, ...more];
  };

  const look = async (fresh: readonly ParsedCitation[], end: number, text: string): Promise<void> => {
    isBusy = true;
    const found = await check(fresh);
    isBusy = false;
    for (const one of fresh) known.add(citationKey(one));
    looked = { upTo: end, citations: [...looked.citations, ...found], links: linked(text, end) };
    later(looked);
  };

  return grown;
};

/** Searches backwards, because this runs for each received piece of text. Of a longer word, the start is part of the text. */
const startOfLastWord = (text: string): number => {
  const least = Math.max(0, text.length - MAX_WORD);
  let at = text.length;
  while (at > least && !BETWEEN_WORDS.test(text.charAt(at - 1))) at -= 1;
  return at;
};

const MAX_WORD = 400;

/** Chinese and Japanese have no space after a sentence. */
const BETWEEN_WORDS = /[\s。！？]/;
