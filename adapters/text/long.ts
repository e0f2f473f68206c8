/** Turns code blocks that exceed a message into files, equal on every surface. Nothing is cut. Pure. */

import type { FilePart } from "../../src/ports/surface.ts";
import { advance, markerRunAt, BLOCK_START } from "../../src/text/markdown/blocks.ts";
import { safeName } from "./files.ts";

export type TextOrFile =
  | { readonly kind: "text"; readonly text: string }
  /** `size`: in bytes. */
  | { readonly kind: "file"; readonly file: FilePart; readonly size: number };

/** Returns an answer in which code blocks longer than `max` UTF-16 units are files. */
export const withLongCode = (markdown: string, max: number): readonly TextOrFile[] => {
  const parts: TextOrFile[] = [];
  let text: string[] = [];
  let block: Block | null = null;
  let files = 0;
  const flush = (): void => {
    if (text.some((line) => line.trim() !== "")) parts.push({ kind: "text", text: text.join("\n") });
    text = [];
  };
  const end = ({ language, lines, code }: Block): void => {
    block = null;
    if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= max) {
      text.push(...lines);
      return;
    }
    flush();
    files += 1;
    parts.push(filePart(`attached-${files}.${extensionOf(language)}`, "text/plain", `${code.join("\n")}\n`));
  };
  let place = BLOCK_START;
  for (const line of markdown.split("\n")) {
    const before = place.leaf;
    place = advance(place, line);
    // A fence that is indented further is part of the code.
    if (block !== null && place.leaf !== before && !isAtMargin(line)) place = { ...place, leaf: before };
    const { leaf } = place;
    if (block !== null) {
      block.lines.push(line);
      if (leaf === before) block.code.push(line);
      else end(block);
    } else if (leaf.kind === "fence" && leaf !== before && isAtMargin(line))
      block = { language: leaf.language, lines: [line], code: [] };
    else text.push(line);
  }
  if (block !== null) end(block);
  flush();
  return parts;
};

interface Block {
  readonly language: string;
  /** The original lines, including fences. */
  readonly lines: string[];
  readonly code: string[];
}

/** Whether the line is outside of quotes and list items. */
const isAtMargin = (line: string): boolean => {
  const { start, length } = markerRunAt(line, 0);
  return length > 0 && start <= 3 && !line.slice(0, start).includes("\t");
};

const extensionOf = (language: string): string =>
  EXTENSIONS.get(language.toLowerCase()) ?? (/^[a-z0-9]{1,8}$/i.test(language) ? language : "txt");

const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: "sh",
    console: "txt",
    javascript: "js",
    markdown: "md",
    plaintext: "txt",
    python: "py",
    ruby: "rb",
    rust: "rs",
    shell: "sh",
    text: "txt",
    typescript: "ts",
  }),
);

const filePart = (name: string, mediaType: string, text: string): TextOrFile => ({
  kind: "file",
  file: { name: safeName(name), mediaType, source: { kind: "text", text } },
  size: new TextEncoder().encode(text).length,
});
