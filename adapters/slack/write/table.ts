/**
 * Converts Markdown tables for Slack. Pure. A message may contain one table block. Further tables, and tables
 * that are too large, become aligned code, because clients display tables in Markdown blocks differently.
 */

import type { types } from "@slack/bolt";
import { Lexer, type Token, type Tokens } from "marked";
import { tableSourcesOf, type Table } from "../../text/tables.ts";

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_TEXT = 8_000;
/** Maximum column width for alignment. */
const MAX_WIDTH = 40;

/** Text and tables of a message, in order. Each text part is Markdown without tables. */
export type TextOrTable =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "table"; readonly block: types.TableBlock };

export const textsAndTablesOf = (text: string): readonly TextOrTable[] => {
  const parts: TextOrTable[] = [];
  let prose = "";
  const flush = (): void => {
    if (prose.trim() !== "") parts.push({ kind: "text", text: prose.replace(/^\n+/, "").trimEnd() });
    prose = "";
  };
  for (const source of tableSourcesOf(text)) {
    if (source.kind === "text") prose += source.text;
    else if (fits(source) && parts.every(({ kind }) => kind === "text")) {
      flush();
      parts.push({ kind: "table", block: blockOf(source) });
    } else prose += `\n\`\`\`\n${aligned(source)}\n\`\`\`\n\n`;
  }
  // Text without a table remains unchanged.
  if (parts.length === 0 && prose === text) return [{ kind: "text", text }];
  flush();
  return parts;
};

const fits = ({ rows }: Table): boolean => {
  const size = rows.reduce((sum, row) => row.reduce((all, cell) => all + cell.length, sum), 0);
  return rows.length <= MAX_ROWS && columnsOf(rows) <= MAX_COLUMNS && size <= MAX_TEXT;
};

const columnsOf = ([header = []]: Table["rows"]): number => header.length;

const blockOf = ({ align, rows }: Table): types.TableBlock => ({
  type: "table",
  rows: rows.map((row, index) => align.map((_, column) => cellOf(row[column] ?? "", index === 0))),
  column_settings: align.map((one) => ({ align: one ?? "left", is_wrapped: true })),
});

const cellOf = (text: string, isHeader: boolean): types.RichTextBlock => {
  const elements = [...inlineOf(text, isHeader ? { bold: true } : {})];
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
};

/** Converts a line of Markdown to elements of rich text, at least one. */
export const inlineOf = (text: string, style: Style = {}): readonly Inline[] => {
  const elements = tokensOf(text).flatMap((token) => inline(token, style));
  return elements.length === 0 ? [{ type: "text", text: " " }] : elements;
};

/** Marks in longer cells are displayed as written, because parsing them takes time and depth. */
const MAX_MARKED = 1_000;

const tokensOf = (text: string): readonly Token[] =>
  text.length > MAX_MARKED ? [{ type: "escape", raw: text, text }] : Lexer.lexInline(text);

type Style = NonNullable<types.RichTextText["style"]>;
type Inline = types.RichTextText | types.RichTextLink;

const inline = (token: Token, style: Style): readonly Inline[] => {
  switch (token.type) {
    case "strong":
      return inner(token, { ...style, bold: true });
    case "em":
      return inner(token, { ...style, italic: true });
    case "del":
      return inner(token, { ...style, strike: true });
    case "codespan":
      return written(String(token["text"]), { ...style, code: true });
    case "br":
      return written("\n", style);
    case "link": {
      const { href, text } = token as Tokens.Link;
      return /^https?:\/\//i.test(href)
        ? [{ type: "link", url: href, text, ...styled(style) }]
        : written(text, style);
    }
    case "escape":
      return written(String(token["text"]), style);
    default:
      return token.type === "text" && "tokens" in token ? inner(token, style) : written(token.raw, style);
  }
};

const inner = (token: Token, style: Style): readonly Inline[] =>
  ("tokens" in token ? (token.tokens ?? []) : []).flatMap((one) => inline(one, style));

const written = (text: string, style: Style): readonly Inline[] =>
  text === "" ? [] : [{ type: "text", text, ...styled(style) }];

const styled = (style: Style): { readonly style?: Style } =>
  Object.keys(style).length === 0 ? {} : { style };

/** Formats cells as plain text, because marks have no effect in code. */
const aligned = ({ rows }: Table): string => {
  const shown = rows.map((row) => row.map(textOf));
  const widths: number[] = Array.from({ length: columnsOf(rows) }, () => 0);
  for (const row of shown)
    for (const [column, { length }] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_WIDTH, length));
  const [head = "", ...body] = shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(" | ")
      .trimEnd(),
  );
  const text = [head, widths.map((width) => "-".repeat(width)).join("-|-"), ...body].join("\n");
  return text.length <= MAX_TEXT ? text : shown.map((row) => row.join(" | ")).join("\n");
};

const textOf = (cell: string): string =>
  tokensOf(cell)
    .flatMap((token) => inline(token, {}))
    .map((element) => element.text ?? "")
    .join("")
    .replaceAll("`", "'");
