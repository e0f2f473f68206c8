/**
 * Adapts a model's Markdown to Discord (WD8): tables become lists, headings below the third level become bold, rules become
 * drawn lines, and tasks become boxes. No word is lost, and code remains unchanged. Pure; takes linear time.
 */

import { advance, BLOCK_START } from "../../../src/text/markdown/blocks.ts";
import { isRule } from "../../../src/text/markdown/containers.ts";
import { tableSourcesOf, type Table } from "../../text/tables.ts";

const RULE = "──────────";

export const discordProse = (text: string): string => {
  const parts: string[] = [];
  let isList = false;
  for (const one of tableSourcesOf(text)) {
    const shown = one.kind === "table" ? listOf(one) : linesOf(one.text);
    // A blank line separates a list from the text around it.
    const isApart = isList ? /^[ \t]*(?:\n|$)/.test(shown) : /(?:^|\n)[ \t]*$/.test(parts.at(-1) ?? "");
    if ((isList || one.kind === "table") && !isApart) parts.push("");
    parts.push(shown);
    isList = one.kind === "table";
  }
  return parts.join("\n");
};

const linesOf = (text: string): string => {
  let place = BLOCK_START;
  let isAfterText = false;
  return text
    .split("\n")
    .map((line) => {
      const before = place;
      place = advance(place, line);
      if (before.leaf.kind === "fence" || place.leaf.kind === "fence") return line;
      const shown = shownLine(line, isAfterText);
      isAfterText = place.leaf.kind === "paragraph";
      return shown;
    })
    .join("\n");
};

/** Markup before the text of a line: quotes and items. */
const LEAD = String.raw`^((?:[\s>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)`;
const HEADING = new RegExp(`${LEAD}#{4,6}[ \\t]+(\\S.*)$`);
const TASK = new RegExp(`${LEAD}\\[([ xX])\\](?=[ \\t])`);

const shownLine = (line: string, isAfterText: boolean): string => {
  if (isRule(line, 0) || (isAfterText && /^ {0,3}={3,}[ \t]*$/.test(line))) return RULE;
  const [, lead = "", title] = HEADING.exec(line) ?? [];
  if (title !== undefined) return `${lead}${bold(unclosed(title))}`;
  const [whole = "", before = "", mark] = TASK.exec(line) ?? [];
  const isItem = /[*+\-.)][ \t]+$/.test(before);
  return mark === undefined || !isItem
    ? line
    : `${before}${mark === " " ? "☐" : "☑"}${line.slice(whole.length)}`;
};

/** Removes the marks that may end a heading. */
const unclosed = (title: string): string => {
  const text = title.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const before = text[end - 1];
  return before === " " || before === "\t" ? text.slice(0, end) : text;
};

const bold = (text: string): string => `**${text.replaceAll("**", "").trim()}**`;

/** Number of columns from which each cell is named. */
const NAMED_FROM = 3;
/** Longer column names are not repeated in each cell. */
const MAX_NAME = 40;

const listOf = ({ rows }: Table): string => {
  const [head = [], ...body] = rows.map((row) => row.map(cellOf));
  const title = head.filter((cell) => cell !== "").map(bold);
  const items = body.map((row) =>
    row.flatMap((cell, column) => (cell === "" ? [] : [named(cell, column, head)])).join(" · "),
  );
  return [...(title.length === 0 ? [] : [title.join(" · ")]), ...items.map((item) => `- ${item}`)].join("\n");
};

const named = (cell: string, column: number, head: readonly string[]): string => {
  const name = head[column] ?? "";
  return column === 0 || head.length < NAMED_FROM || name === "" || name.length > MAX_NAME
    ? cell
    : `${name.replaceAll("**", "")}: ${cell}`;
};

/** A cell must start no block and contain no line break. */
const cellOf = (cell: string): string => cell.replaceAll(/<br[ \t]*\/?>/gi, " / ").trim();
