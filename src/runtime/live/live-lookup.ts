/**
 * What an answer cites, looked up while it is written, so that it can be read as it will stand (TH2): a place that is not looked
 * up yet holds back what follows it. One look at a time.
 */

import type { CheckedPrefix } from "../../ports/surface.ts";
import { type Citation, citationKey, type ParsedCitation } from "../../text/citation.ts";
import { mayCite } from "../../text/mentions.ts";
import type { Linkable } from "../../thread/linkable.ts";
import { NARRATION } from "../../thread/turn-post.ts";
import { distinct } from "./cited-words.ts";

/** Code units of new text that are worth a look, once the first that is shown is looked up. */
const STEP = 80;

/** Takes all of the text so far, and answers how far it is looked up. `later`: a look has ended that it did not wait for. */
export const createLiveLookup = (
  check: (cited: readonly ParsedCitation[]) => Promise<readonly Citation[]>,
  later: (looked: CheckedPrefix) => void,
  linkable: Linkable,
) => {
  const known = new Set<string>();
  let looked: CheckedPrefix = { upTo: 0, citations: [], links: [] };
  let isBusy = false;

  const grown = (text: string): CheckedPrefix => {
    const step = looked.upTo <= NARRATION && text.length > NARRATION ? 1 : STEP;
    if (isBusy || text.length <= NARRATION / 2 || text.length - looked.upTo < step) return looked;
    const end = text.length - (/\S*$/.exec(text.slice(-MAX_WORD))?.[0].length ?? 0);
    if (end - looked.upTo < step) return looked;
    const fresh = cited(text, end).filter((one) => !known.has(citationKey(one)));
    if (fresh.length === 0) looked = { ...looked, upTo: end, links: linked(text, end) };
    else void look(fresh, end, text);
    return looked;
  };

  /** The lines that have grown. */
  const grownLines = (text: string, end: number): string =>
    text.slice(text.lastIndexOf("\n", looked.upTo - 1) + 1, end);

  /** What they cite; nothing where none of them may. */
  const cited = (text: string, end: number): readonly ParsedCitation[] =>
    mayCite(grownLines(text, end)) ? distinct(text.slice(0, end)) : [];

  /** No address goes over the end of a line. */
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

const MAX_WORD = 400;
