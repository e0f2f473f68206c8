/** Functions of the console that read the text of others. */

import { Marked } from "marked";
import { lex } from "../../../src/features/console/page/thread/lexer.ts";
import { excerpt, firstLine } from "../../../src/features/console/render/excerpt.ts";
import { marksIn } from "../../../src/features/console/render/render-host.ts";
import { searchQueryOf } from "../../../src/features/console/search/query.ts";
import { MARK, snippetOf } from "../../../src/features/console/search/snippet.ts";
import { english } from "../../../src/i18n/say.ts";
import type { Read } from "../../linear/readers.ts";

/** The page's reader of Markdown, from Markdown to HTML as before DOMPurify: with the `marked` that the host serves it. */
export const pageReader = (): ((text: string) => string) => {
  const marked = new Marked({ gfm: true });
  return (text) => marked.parser(lex(marked, text));
};

export const READERS: Readonly<Record<string, Read>> = {
  "console: excerpt": (text) => [excerpt(text, 1_000), firstLine(text, 100)],
  /** It runs in the browser beside everything else that the page does. */
  "console: page": pageReader(),
  "console: query": searchQueryOf,
  "console: snippet": (text) => snippetOf(text.replaceAll("a", `${MARK}a${MARK}`)),
  "console: words": (text) => [marksIn(english).plain(text), marksIn(english).code(text)],
};
