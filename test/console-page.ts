/** The console page's reader of Markdown, on Node: with the `marked` that the host serves it. */

import { Marked } from "marked";
import { lex } from "../adapters/console/page/thread/lexer.ts";

/** From Markdown to HTML, as the page does it before DOMPurify. */
export const pageReader = (): ((text: string) => string) => {
  const marked = new Marked({ gfm: true });
  return (text) => marked.parser(lex(marked, text));
};
