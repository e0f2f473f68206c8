export interface Range {
  readonly from: number;
  readonly to: number;
}

/** In order; overlapping and adjacent ranges are combined. */
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

/** The ranges must be `merged`. */
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
