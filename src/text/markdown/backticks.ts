export interface Run {
  readonly length: number;
  /** Offset after the next run of the same length; -1 if there is none. */
  readonly close: number;
}

export const tickRuns = (text: string): ReadonlyMap<number, Run> => {
  const runs = new Map<number, Run>();
  const next = new Map<number, number>();
  for (const found of [...text.matchAll(/`+/g)].toReversed()) {
    const { length } = found[0];
    runs.set(found.index, { length, close: next.get(length) ?? -1 });
    next.set(length, found.index + length);
  }
  return runs;
};
