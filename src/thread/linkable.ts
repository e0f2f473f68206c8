/**
 * A click on a link sends the whole address to its host, with everything that the model wrote into it. Only addresses that the
 * model did not write, letter by letter, and issues of the conversation's repositories become links (L15).
 */

import { type Origin, originOf } from "../machine/provenance.ts";
import { linksIn } from "../text/links.ts";
import { withoutLinkedPages } from "./linked-pages.ts";
import type { TranscriptMessage } from "./prompt.ts";

/** Excludes commands and files, whose text the model may have written, and summaries, which it did write. */
const WRITTEN_BY_OTHERS: ReadonlySet<Origin> = new Set([
  "approver",
  "member",
  "stranger",
  "event",
  "forge",
  "server",
]);

/** Returns the allowed addresses of a text, as `sameLink` spells them. */
export type Linkable = (text: string) => readonly string[];

/** `others`: addresses by `linksOfOthers`, only read for a text with an address. `roots`: web addresses of the repositories. */
export const createLinkable = (others: () => ReadonlySet<string>, ...roots: readonly string[]): Linkable => {
  const own = roots.map(ownLink);
  return (text) => {
    const links = [...linksIn(text)];
    if (links.length === 0) return links;
    const known = others();
    return links.filter((link) => known.has(link) || own.some((one) => one.test(link)));
  };
};

export const linksOfOthers = ({ entry, words }: TranscriptMessage): readonly string[] => {
  if (!WRITTEN_BY_OTHERS.has(originOf(entry))) return [];
  if (words?.kind === "result") return [...linksIn(words.text)];
  return words?.kind === "said" ? [...linksIn(withoutLinkedPages(words))] : [];
};

/** Matches only numbers below the root, so that the address can carry no other text. */
const ownLink = (root: string): RegExp =>
  new RegExp(
    `^https?://${RegExp.escape(root)}/?(?:(?<=/)(?:-/)?(?:issues|work_items|pull|pulls|merge_requests)/\\d{1,7})?$`,
    "i",
  );
