/**
 * A block of code in an answer that is too long for a message becomes a file, the same on every surface. Nothing is cut. Pure.
 */

import type { FilePart } from "../../src/ports/surface.ts";
import { runAt } from "../../src/text/markdown/blocks.ts";
import { safeName } from "./files.ts";

export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** `size`: bytes. */
  | { readonly kind: "file"; readonly file: FilePart; readonly size: number };

/** An answer whose code blocks, where no message of `max` UTF-16 units can hold one, are files in their places. */
export const withLongCode = (markdown: string, max: number): readonly Part[] => {
  const parts: Part[] = [];
  let text: string[] = [];
  const flush = (): void => {
    if (text.some((line) => line.trim() !== "")) parts.push({ kind: "text", text: text.join("\n") });
    text = [];
  };
  let files = 0;
  for (const block of blocksOf(markdown)) {
    const isLong = block.code !== null && block.lines.reduce((sum, line) => sum + line.length + 1, 0) > max;
    if (block.code === null || !isLong) {
      text.push(...block.lines);
      continue;
    }
    flush();
    files += 1;
    parts.push(filePart(`attached-${files}.${block.extension}`, "text/plain", `${block.code}\n`));
  }
  flush();
  return parts;
};

interface Block {
  /** As they stand, fences included. */
  readonly lines: readonly string[];
  /** What stands between the fences; null outside of them. */
  readonly code: string | null;
  readonly extension: string;
}

/** The fence that a line opens outside of everything, with what is written behind it. */
const opener = (
  line: string,
): { readonly mark: string; readonly length: number; readonly info: string } | null => {
  const { mark, start, length, end } = runAt(line, 0);
  const rest = line.slice(end);
  if (length < 3 || start > 3 || line.slice(0, start).includes("\t") || rest.includes("`")) return null;
  return { mark, length, info: rest.trim().split(/\s/, 1)[0] ?? "" };
};

/** Single lines, and the fences of the outermost level whole. */
function* blocksOf(markdown: string): Generator<Block> {
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; ) {
    const fence = opener(lines[at] ?? "");
    if (fence === null) {
      yield { lines: lines.slice(at, at + 1), code: null, extension: "" };
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !closes(lines[end] ?? "", fence)) end += 1;
    const { info } = fence;
    const extension = EXTENSIONS.get(info.toLowerCase()) ?? (/^[a-z0-9]{1,8}$/i.test(info) ? info : "txt");
    yield { lines: lines.slice(at, end + 1), code: lines.slice(at + 1, end).join("\n"), extension };
    at = end + 1;
  }
}

const closes = (line: string, fence: { readonly mark: string; readonly length: number }): boolean => {
  const { mark, start, length, end } = runAt(line, 0);
  return mark === fence.mark && start <= 3 && length >= fence.length && /^[ \t]*$/.test(line.slice(end));
};

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

const filePart = (name: string, mediaType: string, text: string): Part => ({
  kind: "file",
  file: { name: safeName(name), mediaType, source: { kind: "text", text } },
  size: new TextEncoder().encode(text).length,
});
