export const table = (rows: readonly (readonly string[])[]): string => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(width(column))).join("  ");
  return rows.map((row) => lineOf(row).trimEnd()).join("\n");
};
