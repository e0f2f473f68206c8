/** Returns at most `limit` entries in order: the first, the wanted ones, and the newest of the rest. */
export const newestOf = <T>(
  all: readonly T[],
  limit: number,
  isWanted: (one: T) => boolean,
): readonly T[] => {
  if (all.length <= limit) return all;
  const [first, ...rest] = all;
  const wanted = rest.filter(isWanted);
  const room = limit - 1 - wanted.length;
  const newest = new Set([
    ...(room <= 0 ? [] : rest.filter((one) => !isWanted(one)).slice(-room)),
    ...wanted,
  ]);
  return first === undefined ? [] : [first, ...rest.filter((one) => newest.has(one))];
};
