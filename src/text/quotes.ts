import { firstCodePoints } from "./grapheme.ts";
import { showAll } from "./invisible.ts";

/** One short line that cannot end a quote or begin a header. */
export const escapeName = (name: string): string => {
  const line = showAll(showAll(name).replaceAll(/[<>[\]{}()"`|\\:=#*]/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
  const short = firstCodePoints(line, MAX_NAME).trim();
  return short === "" ? "unnamed" : short === line ? short : `${short}…`;
};

/** `at`: as passed to `quoteUntrusted`. */
export const withoutQuotes = (text: string, at: number): UnquotedText => {
  const written = new Date(at).toISOString();
  return unquote(text, ({ time }) => time === written, false);
};

/** Also removes the names themselves. */
export const withoutQuotesOf = (text: string, names: readonly string[]): UnquotedText => {
  const escaped = new Set(names.map(escapeName));
  return unquote(text, ({ author }) => escaped.has(author), true);
};

export interface UnquotedText {
  readonly text: string;
  readonly taken: readonly string[];
}

interface QuoteHead {
  readonly author: string;
  readonly time: string;
}

const unquote = (text: string, isMeant: (head: QuoteHead) => boolean, unnamed: boolean): UnquotedText => {
  const taken: string[] = [];
  const left = text.replaceAll(QUOTE, (all, author: string, time: string, lines: string) => {
    if (!isMeant({ author, time })) return all;
    taken.push(lines.replaceAll(/^\| /gm, ""));
    const shown = unnamed ? "[deleted]" : author;
    return `<untrusted-quote author="${shown}" time="${time}">\n| [deleted]\n</untrusted-quote>`;
  });
  return { text: left, taken };
};

const QUOTE = /^<untrusted-quote author="([^"\n]*)" time="([^"\n]*)">\n((?:\| .*\n)*)<\/untrusted-quote>$/gm;

const MAX_NAME = 64;
const MAX_QUOTE = 8_000;
/** Latest time that can be formatted. */
const LAST = 8.64e15;

type Quoted = { readonly author: string; readonly text: string; readonly at: number };

/** Each line follows a bar, so that no line can end the quote. `at`: milliseconds since the Unix epoch. `most`: code points. */
export const quoteUntrusted = ({ author, text, at }: Quoted, most = MAX_QUOTE): string => {
  const shown = showAll(text);
  const short = firstCodePoints(shown, most);
  const left = shown.length - short.length;
  const time = Math.abs(at) <= LAST ? new Date(at).toISOString() : "unknown";
  return [
    `<untrusted-quote author="${escapeName(author)}" time="${time}">`,
    ...short.split("\n").map((line) => `| ${line.replaceAll(/<(?=\/?untrusted-quote)/gi, "&lt;")}`),
    ...(left === 0 ? [] : [`| [${left} more characters left out]`]),
    "</untrusted-quote>",
  ].join("\n");
};
