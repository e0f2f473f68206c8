/** Addresses of pages in a text: where one ends, and how two are compared. Pure and linear. */

/** Where a bare address that begins the text ends: without the punctuation of the sentence around it. */
export const bareEnd = (text: string): number => {
  const found = /^https?:\/\/[^\s<>`|"\\[\]]+/i.exec(text)?.[0] ?? "";
  let end = found.length;
  let closing = found.split(")").length - found.split("(").length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    if (last === ")" && closing > 0) closing -= 1;
    else if (!/[.,;:!?'*_~]/.test(last)) break;
  }
  return end;
};

/** Longer ones are no links. */
const MAX = 2_000;

/** All of them, as `sameLink` compares them. */
export const linksIn = (text: string): ReadonlySet<string> => {
  const links = new Set<string>();
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    const from = text.slice(index, index + MAX);
    const link = sameLink(from.slice(0, bareEnd(from)));
    if (link !== null) links.add(link);
  }
  return links;
};

/** One spelling for each address; null for what is none. */
export const sameLink = (address: string): string | null => {
  const [, origin, rest = ""] = /^(https?:\/\/[^/?#\s]+)(.*)$/is.exec(address) ?? [];
  return origin === undefined ? null : `${origin.toLowerCase()}${rest === "" ? "/" : rest}`;
};
