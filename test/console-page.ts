/** The console page's reader of Markdown, on Node: with the `marked` that the host serves it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Marked } from "marked";
import * as z from "zod";

const lexerModule = z.object({ lex: z.function({ input: [z.unknown(), z.string()], output: z.unknown() }) });

/** From Markdown to HTML, as the page does it before DOMPurify. */
export const pageReader = async (): Promise<(text: string) => string> => {
  const source = readFileSync(join(import.meta.dirname, "../adapters/console/page/thread/lexer.js"), "utf8");
  const served = import.meta.resolve("marked");
  const folder = mkdtempSync(join(tmpdir(), "parley-page-"));
  const file = join(folder, "lexer.mjs");
  writeFileSync(file, source.replace("../../vendor/marked.js", served));
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
  rmSync(folder, { recursive: true });
  const { lex } = lexerModule.parse(loaded);
  const marked = new Marked({ gfm: true });
  return (text) => marked.parser(lex(marked, text) as Parameters<typeof marked.parser>[0]);
};
