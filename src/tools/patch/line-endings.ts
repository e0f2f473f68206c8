/** A file's text with line feeds alone, as models see and patch it, and the way back to its own bytes. Pure. */

export interface LineView {
  readonly text: string;
  /** The offset in the file's own text of an offset in `text`. */
  toOriginal(offset: number): number;
  /** New text with the line endings that the file mostly has. */
  toEndings(text: string): string;
}

export const lineView = (original: string): LineView => {
  const text = withoutReturns(original);
  if (text.length === original.length) {
    return { text, toOriginal: (offset) => offset, toEndings: (value) => value };
  }
  const joined: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    joined.push(at - joined.length);
  }
  const feeds = text.split("\n").length - 1;
  const mostlyReturns = joined.length * 2 > feeds;
  return {
    text,
    toOriginal: (offset) => offset + countBelow(joined, offset),
    toEndings: (value) => (mostlyReturns ? withoutReturns(value).replaceAll("\n", "\r\n") : value),
  };
};

/** The text with each CRLF as one line feed. */
export const withoutReturns = (text: string): string => text.replaceAll("\r\n", "\n");

/** How many of the ascending numbers are below `bound`. */
const countBelow = (ascending: readonly number[], bound: number): number => {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};
