/**
 * What a reader of Markdown gets to see, word by word: each word with the quotes, list items and the kind of block it
 * stands in, as an independent parser reads them.
 */

import { lexer, type Token, type Tokens } from "marked";

export interface Outline {
  readonly words: readonly string[];
  /** Header rows of the tables. */
  readonly headers: readonly string[];
}

/** Markers of list items that a piece takes up again (`…`) are left out. */
export const outline = (markdown: string): Outline => {
  const words: string[] = [];
  const headers: string[] = [];
  const add = (path: string, text: string): void => {
    for (const word of text.split(/\s+/)) if (word !== "" && word !== "…") words.push(`${path} ${word}`);
  };
  const walk = (tokens: readonly Token[], path: string): void => {
    for (const token of tokens) {
      switch (token.type) {
        case "blockquote":
          walk(token.tokens ?? [], `${path}>`);
          break;
        case "list": {
          const list = token as Tokens.List;
          for (const item of list.items) {
            walk(item.tokens, `${path}${/^\s*(\d+|[-+*])/.exec(item.raw)?.[1] ?? "?"}/`);
          }
          break;
        }
        case "code":
          add(`${path}code:${String(token["lang"] ?? "")}`, String(token["text"]));
          break;
        case "table": {
          const table = token as Tokens.Table;
          headers.push(table.header.map(({ text }) => text).join("|"));
          for (const row of table.rows) for (const cell of row) add(`${path}cell`, cell.text);
          break;
        }
        case "heading":
          add(`${path}heading`, String(token["text"]));
          break;
        case "space":
          break;
        default:
          add(`${path}text`, token.raw);
      }
    }
  };
  walk(lexer(markdown), "");
  return { words, headers };
};
