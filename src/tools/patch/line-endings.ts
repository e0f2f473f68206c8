/** Patches match text without carriage returns, but apply to the original bytes: all text outside an edit keeps its bytes. */

export interface LineView {
  readonly text: string;
  toOriginal(offset: number): number;
  /** Uses the line endings of most lines of the file. */
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
