/**
 * Converts a file's line endings to line feeds and back. Pure.
 *
 * Models see text without carriage returns. Patches are matched against this view and applied to the file's original bytes, so
 * that a CRLF file keeps its endings and everything outside an edit keeps every byte.
 */

export interface LineView {
  /** The text with each CRLF as one line feed. */
  readonly text: string;
  /** Converts an offset in `text` to an offset in the file. */
  toOriginal(offset: number): number;
  /** Gives new text the line endings that most lines of the file have. */
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
