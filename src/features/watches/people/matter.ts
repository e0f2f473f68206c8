/** Finds posts about one matter: the same words, the same link, or the same error text. Pure. */

import { createHash } from "node:crypto";

/** Maximum number of characters that are read. */
const LONGEST = 4_000;
const MOST_KEYS = 4;

/** Keys of a post's matters, the most general first. Posts with a common key are about one matter. Keys reveal no words. */
export const matterKeys = (text: string): readonly string[] => {
  const read = text.slice(0, LONGEST);
  const links = [...read.matchAll(LINK)].map(([link]) => `link ${pageOf(link)}`);
  const errors = read.split("\n").flatMap((line) => {
    const [found] = ERROR.exec(line) ?? [];
    return found === undefined ? [] : [`error ${alike(found)}`];
  });
  const words = alike(read.replaceAll(LINK, " "));
  const all = [...(words === "" ? [] : [`words ${words}`]), ...errors, ...links, `all ${read.trim()}`];
  return [...new Set(all)].slice(0, MOST_KEYS).map(hashed);
};

export const isSameMatter = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((key) => b.includes(key));

const LINK = /https?:\/\/[^\s<>()|"'`]{1,500}/g;

/** The end of a line from the name of an error on. */
const ERROR = /(?:\b[A-Z][A-Za-z]{1,40}(?:Error|Exception)\b|\bpanic:|\bsegmentation fault\b).{0,200}/i;

/** Removes the names of referrers and the fragment, which names a single comment. The query may name the issue. */
const pageOf = (link: string): string => {
  const url = URL.parse(link.replace(/[.,;:!?]+$/, ""));
  if (url === null) return link;
  const query = [...url.searchParams]
    .filter(([name]) => !name.startsWith("utm_"))
    .map((one) => one.join("="));
  return [`${url.host}${url.pathname.replace(/\/$/, "")}`, ...query.toSorted()].join("?");
};

/** Removes numbers and ids, punctuation and case, which differ between reports of one matter. */
const alike = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\p{L}\p{N}_-]+/gu, (word) => (/\d/.test(word) ? "#" : word))
    .replaceAll(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();

const hashed = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 32);
