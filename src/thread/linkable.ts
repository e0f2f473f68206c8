/**
 * Which addresses in an answer may be links: a click on one carries to its host whatever the model wrote into it. Those stay
 * that somebody else wrote in this conversation, letter by letter, and those that only name an issue of the conversation's
 * own repositories (L15). The host's own links, of citations and the like, are not the answer's. Pure.
 */

import { type Origin, originOf } from "../machine/provenance.ts";
import { linksIn } from "../text/links.ts";
import type { TranscriptMessage } from "./prompt.ts";

/** What commands and files hold the model may have written itself, and a summary it did write. */
const WRITTEN_BY_OTHERS: ReadonlySet<Origin> = new Set([
  "approver",
  "member",
  "stranger",
  "event",
  "forge",
  "server",
]);

/** As `sameLink` spells them. */
export type Linkable = (text: string) => readonly string[];

/** `others`: what `linksOfOthers` finds in the transcript, asked for where a text has an address. `roots`: where the pages of the conversation's repositories are. */
export const createLinkable = (others: () => ReadonlySet<string>, ...roots: readonly string[]): Linkable => {
  const own = roots.map(ownLink);
  return (text) => {
    const links = [...linksIn(text)];
    if (links.length === 0) return links;
    const known = others();
    return links.filter((link) => known.has(link) || own.some((one) => one.test(link)));
  };
};

export const linksOfOthers = ({ entry, words }: TranscriptMessage): readonly string[] =>
  WRITTEN_BY_OTHERS.has(originOf(entry)) && (words?.kind === "said" || words?.kind === "result")
    ? [...linksIn(words.text)]
    : [];

/** Nothing but numbers has room in it. */
const ownLink = (root: string): RegExp =>
  new RegExp(
    `^https?://${RegExp.escape(root)}/?(?:(?<=/)(?:-/)?(?:issues|work_items|pull|pulls|merge_requests)/\\d{1,7})?$`,
    "i",
  );
