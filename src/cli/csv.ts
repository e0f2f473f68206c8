/** Comma-separated values (RFC 4180). Pure. */

/** One line. Text that a spreadsheet would take for a formula begins with an apostrophe. */
export const csvLine = (fields: readonly (string | boolean | null)[]): string =>
  `${fields.map((field) => quoted(field === null ? "" : String(field))).join(",")}\r\n`;

const quoted = (field: string): string => {
  const inert = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};
