/**
 * Reads an app's post as an event: title, link, and the subject that related posts share. Pure, and equal on
 * every platform.
 */

import type { AppMessage } from "../../src/ports/chat.ts";

type Told = Pick<AppMessage, "title" | "text" | "link" | "matter">;

/**
 * `words`: visible text without markup. `own`: the app's own title and its link. Null if there is no text.
 */
export const parseAppPost = (
  words: string,
  own: { readonly title: string | null; readonly link: string | null },
): Told | null => {
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  const first = own.title ?? lines[0];
  if (first === undefined || isOfParley(words)) return null;
  const led = own.link ?? linkIn(first);
  const title = withoutLinks(first);
  const told = {
    title,
    text: [
      ...linksOf(first).filter((link) => link !== led),
      ...lines.filter((line) => line !== first && line !== own.link),
    ].join("\n"),
    link: led ?? linkIn(words),
  };
  return { ...told, matter: own.link === null ? `${likened(title)} ${page(led ?? "")}` : page(own.link) };
};

/** Whether a Parley wrote the text at a forge. Apps of forges repeat it, and Parley would answer itself. */
const isOfParley = (words: string): boolean =>
  /Written by Parley[^\n]{0,300}\(conversation c-[\w-]{1,60}\)/.test(words);

const LINK = /https?:\/\/[^\s<>()|]{1,2000}/;

const linkIn = (words: string): string | null => LINK.exec(words)?.[0] ?? null;

/** A link follows its label in parentheses. */
const BRACKETED = / ?\((https?:\/\/[^\s<>()|]{1,2000})\)/g;

const withoutLinks = (line: string): string => line.replaceAll(BRACKETED, "").trim();

const linksOf = (line: string): readonly string[] =>
  [...line.matchAll(BRACKETED)].map(([, link = ""]) => link);

/** Removes the query and the fragment, which name a referrer or a single comment. */
const page = (link: string): string => {
  const url = URL.parse(link);
  return url === null ? link : `${url.host}${url.pathname}`;
};

/** Removes counts, times and ids, which differ between related alerts. */
const likened = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[\w-]+/g, (word) => (isId(word) ? "#" : word.split("-").map(withoutId).join("-")));

const withoutId = (part: string): string => (isId(part) ? "#" : part);

const isId = (word: string): boolean => /\d/.test(word) && /^[0-9a-f-]+$/.test(word);
