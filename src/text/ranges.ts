/** Ranges of offsets in a text. Pure. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges in order; overlapping and adjacent ones are combined. */
export const merged = (ranges: readonly Range[]): readonly Range[] => {
  const all: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else all.push(range);
  }
  return all;
};

/** Replaces each of the `merged` ranges with a mark. */
export const withMarkedRanges = (
  text: string,
  ranges: readonly Range[],
  mark: (length: number) => string,
): string => {
  let out = "";
  let at = 0;
  for (const { from, to } of ranges) {
    out += text.slice(at, from) + mark(to - from);
    at = to;
  }
  return out + text.slice(at);
};
