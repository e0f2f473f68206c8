/** All sentences of five words or more that people read: comments, pages and UI sentences. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../app/cli/host.ts";
import { type CommentBlock, commentsIn } from "./comments.ts";

/** `where`: file and line. */
export interface Sentence {
  readonly where: string;
  readonly text: string;
}

export const POPULATIONS = {
  comments: () => SOURCES.flatMap(commentSentences),
  docs: () => PAGES.flatMap(pageSentences),
  strings: () => Object.keys(catalog()).flatMap((key) => toSentences(CATALOG, key)),
} as const satisfies Readonly<Record<string, () => readonly Sentence[]>>;

/** Files of the work tree that git tracks, by a glob of paths. */
export const trackedFiles = (...globs: readonly string[]): readonly string[] =>
  execFileSync("git", ["ls-files", "--", ...globs], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "")
    .toSorted();

export const readBlocks = (file: string): readonly CommentBlock[] =>
  commentsIn(readFileSync(join(root, file), "utf8"));

/** `*` matches folders too. */
const SOURCES = trackedFiles(
  ...["src", "adapters", "sandbox"].flatMap((folder) =>
    ["ts", "mjs", "c", "h"].map((end) => `${folder}/*.${end}`),
  ),
  "packaging/*.ts",
);
/** Generated pages and tables of figures are not written by hand. */
const GENERATED = new Set(["docs/reference.md", "docs/performance.md", "docs/design/sources.md"]);
const PAGES = trackedFiles("README.md", "CONTRIBUTING.md", "docs/*.md", ".env.example").filter(
  (file) => !GENERATED.has(file),
);
const CATALOG = "src/i18n/de.json";
const DIRECTIVE = /^(?:oxlint|biome|@ts)/;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$/i;
const LEAST_WORDS = 5;

const catalog = (): object => JSON.parse(readFileSync(join(root, CATALOG), "utf8"));

const commentSentences = (file: string): readonly Sentence[] =>
  readBlocks(file)
    .filter(({ text }) => !DIRECTIVE.test(text))
    .flatMap(({ line, text }) => toSentences(`${file}:${line}`, text.replaceAll(/\s@(\w+)\b/g, ". @$1")));

/** Sentences end at a full stop before a capital letter or a sign that begins a name. */
const toSentences = (where: string, text: string): readonly Sentence[] => {
  const found: string[] = [];
  let current = "";
  for (const part of text.split(/(?<=[.!?][)"'”*_`]*)\s+(?=["'“(*_`{[]*[A-Z0-9`‘“"([{$])/)) {
    current = current === "" ? part : `${current} ${part}`;
    if (ABBREVIATION.test(part)) continue;
    found.push(current.trim());
    current = "";
  }
  if (current !== "") found.push(current.trim());
  return found
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length >= LEAST_WORDS)
    .map((sentence) => ({ where, text: sentence }));
};

const plain = (text: string): string =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Paragraphs, list items and table cells; without headings, code blocks and the header of a table. */
const pageSentences = (file: string): readonly Sentence[] => {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return file.endsWith(".md") ? markdownSentences(file, lines) : settingSentences(file, lines);
};

const markdownSentences = (file: string, lines: readonly string[]): readonly Sentence[] => {
  const found: Sentence[] = [];
  let paragraph: string[] = [];
  let begin = 0;
  let isCode = false;
  const end = (): void => {
    found.push(...toSentences(`${file}:${begin}`, plain(paragraph.join(" "))));
    paragraph = [];
  };
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || line === "" || /^(?:```|~~~|#|!\[|<[^h])/.test(line)) {
      end();
      continue;
    }
    if (line.startsWith("|")) {
      end();
      const isRule = /^\|[\s:|-]+\|$/;
      if (!isRule.test(line) && !isRule.test((lines[index + 1] ?? "").trim()))
        for (const cell of line.slice(1, -1).split(/(?<!\\)\|/))
          found.push(...toSentences(`${file}:${index + 1}`, plain(cell)));
      continue;
    }
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (item !== null) end();
    if (paragraph.length === 0) begin = index + 1;
    paragraph.push(item?.[1] ?? line.replace(/^>\s?/, ""));
  }
  end();
  return found;
};

const settingSentences = (file: string, lines: readonly string[]): readonly Sentence[] => {
  const found: Sentence[] = [];
  let paragraph: string[] = [];
  let begin = 0;
  for (const [index, raw] of [...lines, ""].entries()) {
    const line = raw.trim();
    if (line.startsWith("#") && line !== "#" && !/^# ?──/.test(line)) {
      if (paragraph.length === 0) begin = index + 1;
      paragraph.push(line.replace(/^# ?/, ""));
    } else {
      found.push(...toSentences(`${file}:${begin}`, plain(paragraph.join(" "))));
      paragraph = [];
    }
  }
  return found;
};
