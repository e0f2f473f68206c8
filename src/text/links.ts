/** Excludes the punctuation of the sentence around the address. */
export const bareEnd = (text: string): number => {
  const found = /^https?:\/\/[^\s<>`|"\\[\]]+/i.exec(text)?.[0] ?? "";
  let closing = 0;
  for (const each of found) closing += BRACKETS[each] ?? 0;
  return endOf(found, 0, closing);
};

/** Longer addresses are no links. */
const MAX = 2_000;

/** In the form of `sameLink`, including addresses that begin inside another address. */
export const linksIn = (text: string): ReadonlySet<string> => {
  const links = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    const starts = Array.from(run.matchAll(/https?:\/\//gi), ({ index }) => index);
    // Goes from the last start to the first, so that each bracket of the run is counted once.
    let closing = 0;
    let counted = run.length;
    for (const start of starts.toReversed()) {
      if (run.length - start > MAX) break;
      for (; counted > start; counted -= 1) closing += BRACKETS[run[counted - 1] ?? ""] ?? 0;
      const link = sameLink(run.slice(start, endOf(run, start, closing)));
      if (link !== null) links.add(link);
    }
  }
  return links;
};

const RUN = /https?:\/\/[^\s<>`|"\\[\]]+/gi;
const BRACKETS: Readonly<Record<string, number>> = { "(": -1, ")": 1 };
const PUNCTUATION = ".,;:!?'*_~";

/** `closing`: number of excess closing brackets after `start`. */
const endOf = (text: string, start: number, closing: number): number => {
  let end = text.length;
  for (let left = closing; end > start; end -= 1) {
    const last = text[end - 1] ?? "";
    if (last === ")" && left > 0) left -= 1;
    else if (!PUNCTUATION.includes(last)) break;
  }
  return end;
};

/** Null if the text is no address. */
export const sameLink = (address: string): string | null => {
  const [, origin, rest = ""] = /^(https?:\/\/[^/?#\s]+)(.*)$/is.exec(address) ?? [];
  return origin === undefined ? null : `${origin.toLowerCase()}${rest === "" ? "/" : rest}`;
};
