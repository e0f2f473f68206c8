/**
 * Converts Markdown to one block of rich text, for calls that accept no Markdown block. Pure. Lines are read
 * as fences, headings, lists and quotes, and within a line emphasis, code and links are read.
 */

import type { types } from "@slack/bolt";
import { inlineOf } from "./table.ts";

type Element = types.RichTextBlock["elements"][number];

/** Consecutive lines that form one element. */
interface Run {
  readonly kind: "text" | "code" | "bullet" | "ordered" | "quote";
  readonly indent: number;
  readonly lines: string[];
}

export const richTextOf = (text: string): types.RichTextBlock => ({
  type: "rich_text",
  elements: runsOf(text).map(elementOf),
});

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const QUOTE = /^ {0,3}>[ \t]?(.*)$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)$/;
const MAX_INDENT = 8;

const runsOf = (text: string): readonly Run[] => {
  const runs: Run[] = [];
  let fence: string | null = null;
  const add = (kind: Run["kind"], line: string, indent = 0): void => {
    const last = runs.at(-1);
    if (last?.kind === kind && last.indent === indent) last.lines.push(line);
    else runs.push({ kind, indent, lines: [line] });
  };
  for (const line of text.split("\n")) {
    const [, marks] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (marks?.startsWith(fence) === true && line.trim() === marks) fence = null;
      else runs.at(-1)?.lines.push(line);
      continue;
    }
    if (marks !== undefined) {
      fence = marks;
      runs.push({ kind: "code", indent: 0, lines: [] });
      continue;
    }
    const [, before = "", mark = "", item] = ITEM.exec(line) ?? [];
    const quoted = QUOTE.exec(line)?.[1];
    if (item !== undefined) {
      const indent = Math.min(MAX_INDENT, Math.floor(before.replaceAll("\t", "  ").length / 2));
      add(/\d/.test(mark) ? "ordered" : "bullet", item, indent);
    } else if (quoted !== undefined) add("quote", quoted);
    else add("text", line);
  }
  return runs.filter(({ lines }) => lines.some((line) => line.trim() !== ""));
};

const elementOf = ({ kind, indent, lines }: Run): Element => {
  switch (kind) {
    case "code":
      return { type: "rich_text_preformatted", elements: [{ type: "text", text: lines.join("\n") }] };
    case "bullet":
    case "ordered":
      return {
        type: "rich_text_list",
        style: kind,
        indent,
        elements: lines.map((line) => ({ type: "rich_text_section", elements: [...inlineOf(line)] })),
      };
    case "quote":
      return { type: "rich_text_quote", elements: inlines(lines) };
    case "text":
      return { type: "rich_text_section", elements: inlines(trimmed(lines)) };
  }
};

const inlines = (lines: readonly string[]) =>
  lines.flatMap((line, index) => {
    const heading = HEADING.exec(line)?.[1];
    const elements = heading === undefined ? inlineOf(line) : inlineOf(heading, { bold: true });
    return index === lines.length - 1 ? [...elements] : [...elements, { type: "text" as const, text: "\n" }];
  });

const trimmed = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(first, last + 1);
};
