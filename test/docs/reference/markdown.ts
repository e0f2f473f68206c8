/** The little Markdown that the reference is made of. */

export const code = (text: string): string => `\`${text}\``;

/** A table; what would end a cell or a line is written so that it does not. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
