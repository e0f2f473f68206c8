/**
 * Finds a text's tables line by line, in linear time and without nesting. Pure. Tables in a quote, a list or
 * a fence are skipped.
 */

import { advance, type BlockPosition, BLOCK_START } from "../../src/text/markdown/blocks.ts";

type TextOrTable = { readonly kind: "text"; readonly text: string } | ({ readonly kind: "table" } & Table);

export interface Table {
  readonly align: readonly ("left" | "center" | "right" | null)[];
  /**
   * The header first; cells as written. A row has at most as many cells as the header, and may have fewer.
   */
  readonly rows: readonly (readonly string[])[];
}

export const tableSourcesOf = (text: string): readonly TextOrTable[] => {
  const found: TextOrTable[] = [];
  const lines = text.split("\n");
  let place: BlockPosition = BLOCK_START;
  let prose: string[] = [];
  const flush = (): void => {
    if (prose.length > 0) found.push({ kind: "text", text: prose.join("\n") });
    prose = [];
  };
  for (let at = 0; at < lines.length; ) {
    const end = place.leaf.kind === "fence" ? at : tableEnd(lines, at);
    if (end === at) {
      const line = lines[at] ?? "";
      place = advance(place, line);
      prose.push(line);
      at += 1;
      continue;
    }
    flush();
    found.push({ kind: "table", ...tableOf(lines.slice(at, end)) });
    place = BLOCK_START;
    at = end;
  }
  flush();
  return found;
};

/**
 * Returns the index after the last row of the table that starts at that line; the line itself if there is no
 * table.
 */
const tableEnd = (lines: readonly string[], at: number): number => {
  const [header = "", rule = ""] = [lines[at], lines[at + 1]];
  if (!header.includes("|") || !isRule(rule) || OTHER.test(header)) return at;
  if (cellsOf(header).length !== cellsOf(rule).length) return at;
  let end = at + 2;
  while (end < lines.length && isRow(lines[end] ?? "")) end += 1;
  return end;
};

const isRule = (line: string): boolean =>
  line.includes("-") && line.includes("|") && /^[ \t|:-]*$/.test(line) && !/^ {4}|^\t/.test(line);

/** A line of another block: a quote, a heading, an item, a fence, indented code. */
const OTHER = /^(?: {0,3}(?:>|#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3})| {4}|\t)/;

const isRow = (line: string): boolean => line.trim() !== "" && !OTHER.test(line);

const tableOf = ([header = "", rule = "", ...rows]: readonly string[]): Table => {
  const head = cellsOf(header);
  return {
    align: cellsOf(rule).map(alignOf),
    rows: [head, ...rows.map((row) => cellsOf(row).slice(0, head.length))],
  };
};

const alignOf = (cell: string): Table["align"][number] => {
  const [left, right] = [cell.startsWith(":"), cell.endsWith(":")];
  return left && right ? "center" : left ? "left" : right ? "right" : null;
};

/** Splits at bars without a preceding backslash. A bar at either end of the line belongs to no cell. */
const cellsOf = (line: string): readonly string[] => {
  const cells = [""];
  for (const [part] of line.trim().matchAll(/\\[^]?|\||[^\\|]+/g)) {
    if (part === "|") cells.push("");
    else cells.push(`${cells.pop() ?? ""}${part === "\\|" ? "|" : part}`);
  }
  const from = cells[0]?.trim() === "" ? 1 : 0;
  const to = cells.length > from && cells.at(-1)?.trim() === "" ? -1 : cells.length;
  return cells.slice(from, to).map((cell) => cell.trim());
};
