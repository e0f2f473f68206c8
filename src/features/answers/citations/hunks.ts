/** Computes the position of lines after a change, from git's hunks. Pure. */

/** Replaced lines of the old file, counted from 1. For an insertion, `at` is the line before it and `count` is 0. */
export interface Hunk {
  readonly at: number;
  readonly count: number;
  readonly added: number;
}

const NAMED = /^diff --git a\/(\d+) b\/\1$/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads `diff --git` and `@@` lines of a diff without context. The keys are the numbers in the file names. */
export const readHunks = (text: string): ReadonlyMap<number, readonly Hunk[]> => {
  const files = new Map<number, Hunk[]>();
  let hunks: Hunk[] = [];
  for (const line of text.split("\n")) {
    const name = NAMED.exec(line)?.[1];
    if (name !== undefined) files.set(Number(name), (hunks = []));
    const [found, at, count = "1", added = "1"] = HUNK.exec(line) ?? [];
    if (found !== undefined) hunks.push({ at: Number(at), count: Number(count), added: Number(added) });
  }
  return files;
};

/** Returns how many lines a span has moved by; null if a line of the span changed. */
export const shiftOf = (hunks: readonly Hunk[], from: number, to: number): number | null => {
  let shift = 0;
  for (const { at, count, added } of hunks) {
    const [first, last] = count === 0 ? [at + 1, at] : [at, at + count - 1];
    if (last < from) shift += added - count;
    else if (first <= to) return null;
    else break;
  }
  return shift;
};
