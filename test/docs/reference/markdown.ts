/** The little Markdown that the reference is made of. */

export const code = (text: string): string => `\`${text}\``;

/** A table; what would end a cell or a line is written so that it does not. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
