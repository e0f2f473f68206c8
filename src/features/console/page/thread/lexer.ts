/**
 * Markdown read in bounded time, whatever a model was made to write: what nests or runs on beyond what anybody writes is
 * shown as the text that it is, so that no answer keeps people from the buttons below it.
 */

import { Lexer, type Marked, type Token, type Tokens, type TokensList } from "marked";

/** Marks of quotes and lists within each other on one line. */
const NESTED = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){24}/m;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const EMPTY = /^[\s>]*$/;
/** Lines that go on one item of a list without an empty one: each is looked at with all before it. */
const LINES = 500;
/** Lists beside each other without an empty line: the same. */
const CHANGES = 200;
/** Characters of one paragraph, heading or cell, and marks of emphasis in it: the time grows with their square. */
const CHARACTERS = 4_000;
const MARKS = 400;

/** Columns of a table: every row gets as many cells, however short it is. */
const COLUMNS = 100;
const RULE = /^[\s>|:-]+$/;

/** Nobody writes these, and reading them takes seconds. */
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

/** The tokens of `text` under the options of `marked`, with the definitions of its links in `links`; never throws. */
export const lex = (marked: Pick<Marked, "defaults">, text: string): TokensList => {
  if (NESTED.test(text) || runsOn(text)) return asWritten(text);
  try {
    return new BoundedLexer(marked.defaults).lex(text);
  } catch (error) {
    console.warn("this Markdown is shown as written", error);
    return asWritten(text);
  }
};
