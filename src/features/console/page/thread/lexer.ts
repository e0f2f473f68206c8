/**
 * Parses Markdown in bounded time, for any model output. Text with deeper nesting or longer blocks than people write is shown
 * unparsed, so that no answer can block the buttons below.
 */

import { Lexer, type Marked, type Token, type Tokens, type TokensList } from "marked";

/** Marks of nested quotes and lists on one line. */
const NESTED = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){24}/m;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const EMPTY = /^[\s>]*$/;
/**
 * Limit of lines that continue a list item without an empty line, because each line is compared with all
 * lines before it.
 */
const LINES = 500;
/** Limit of adjacent lists without an empty line between them, because each line is compared with all lines before it. */
const CHANGES = 200;
/**
 * Limits for one paragraph, heading or cell: characters, and marks of emphasis. The time grows with the
 * square of both.
 */
const CHARACTERS = 4_000;
const MARKS = 400;

/** Limit of columns in a table, because every row gets this many cells, even a short row. */
const COLUMNS = 100;
const RULE = /^[\s>|:-]+$/;

/** Whether the text exceeds a limit. People do not write such text, and its parsing would take seconds. */
const runsOn = (text: string): boolean => {
  let [lines, changes]: [number, number] = [0, 0];
  let last: string | null = null;
  for (const line of text.split("\n")) {
    const mark = ITEM.exec(line)?.[0].trim().at(-1) ?? null;
    if (EMPTY.test(line)) {
      [lines, changes] = [0, 0];
      last = null;
    } else if (mark === null) lines += last === null ? 0 : 1;
    else {
      if (last !== null && mark !== last) changes += 1;
      lines = 0;
      last = mark;
    }
    if (lines > LINES || changes > CHANGES) return true;
    if (RULE.test(line) && line.split("|", COLUMNS + 1).length > COLUMNS) return true;
  }
  return false;
};

class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const isLong = src.length > CHARACTERS || src.split(/[*_~[]/, MARKS + 1).length > MARKS;
    if (!isLong) return super.inlineTokens(src, tokens);
    tokens.push(textOf(src));
    return tokens;
  }
}

const textOf = (raw: string): Tokens.Text => ({ type: "text", raw, text: raw, escaped: false });

const asWritten = (raw: string): TokensList =>
  Object.assign([{ type: "code", raw, text: raw, lang: "" }], { links: {} });

/**
 * Returns the tokens of `text` under the options of `marked`, with the link definitions in `links`; never
 * throws.
 */
export const lex = (marked: Pick<Marked, "defaults">, text: string): TokensList => {
  if (NESTED.test(text) || runsOn(text)) return asWritten(text);
  try {
    return new BoundedLexer(marked.defaults).lex(text);
  } catch (error) {
    console.warn("markdown: text displayed without formatting", error);
    return asWritten(text);
  }
};
