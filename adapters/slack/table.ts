/**
 * Markdown's tables as Slack shows them. Pure. A message may hold one table block; what Slack makes of tables in a
 * Markdown block differs between clients, so further ones, and those too large, stand as aligned code.
 */

import type { types } from "@slack/bolt";
import { lexer, type Token, type Tokens } from "marked";

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
/** Characters of all cells of a message together. */
const MAX_TEXT = 8_000;
/** Columns are aligned up to this width. */
const MAX_WIDTH = 40;

/** Text and tables of a message in order; text is Markdown without tables. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "table"; readonly block: types.TableBlock };

export const partsOf = (text: string): readonly Part[] => {
  if (!text.includes("|")) return [{ kind: "text", text }];
  const parts: Part[] = [];
  let prose = "";
  for (const token of lexer(text)) {
    if (!isTable(token)) prose += token.raw;
    else if (fits(token) && parts.every(({ kind }) => kind === "text")) {
      if (prose.trim() !== "") parts.push({ kind: "text", text: between(prose) });
      parts.push({ kind: "table", block: blockOf(token) });
      prose = "";
    } else prose += `\`\`\`\n${aligned(token)}\n\`\`\`\n\n`;
  }
  return prose.trim() === "" ? parts : [...parts, { kind: "text", text: between(prose) }];
};

const between = (prose: string): string => prose.replace(/^\n+/, "").trimEnd();

const isTable = (token: Token): token is Tokens.Table => token.type === "table";

const rowsOf = ({ header, rows }: Tokens.Table): readonly (readonly Tokens.TableCell[])[] => [
  header,
  ...rows,
];

const fits = (table: Tokens.Table): boolean => {
  const rows = rowsOf(table);
  const size = rows.flat().reduce((sum, { text }) => sum + text.length, 0);
  return rows.length <= MAX_ROWS && table.header.length <= MAX_COLUMNS && size <= MAX_TEXT;
};

const blockOf = (table: Tokens.Table): types.TableBlock => ({
  type: "table",
  rows: rowsOf(table).map((row, index) => row.map((cell) => cellOf(cell, index === 0))),
  column_settings: table.align.map((align) => ({ align: align ?? "left", is_wrapped: true })),
});

const cellOf = ({ tokens }: Tokens.TableCell, isHeader: boolean): types.RichTextBlock => {
  const elements = tokens.flatMap((token) => inline(token, isHeader ? { bold: true } : {}));
  const shown = elements.length === 0 ? [{ type: "text" as const, text: " " }] : elements;
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: shown }] };
};

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

/** Cells as plain text: what marks would do does not show in code. */
const aligned = (table: Tokens.Table): string => {
  const rows = rowsOf(table).map((row) => row.map(textOf));
  const widths = table.header.map((_, column) =>
    Math.min(MAX_WIDTH, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(" | ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  const text = [head, widths.map((width) => "-".repeat(width)).join("-|-"), ...body].join("\n");
  return text.length <= MAX_TEXT ? text : rows.map((row) => row.join(" | ")).join("\n");
};

const textOf = ({ tokens }: Tokens.TableCell): string =>
  tokens
    .flatMap((token) => inline(token, {}))
    .map((element) => element.text ?? "")
    .join("")
    .replaceAll("`", "'");
