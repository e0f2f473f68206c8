/** Patterns some of whose parts stand for any number of items. Pure. */

/** Whether the pattern matches all of the items, in at most as many steps as the product of both lengths; false where `work` is used up. */
export const fits = <P, I>(
  pattern: ArrayLike<P>,
  items: ArrayLike<I>,
  any: P,
  same: (one: P, item: I) => boolean,
  work = { left: Number.POSITIVE_INFINITY },
): boolean => {
  let [at, star, from] = [0, -1, 0];
  for (let item = 0; item < items.length; ) {
    if (--work.left < 0) return false;
    const [one, other] = [pattern[at], items[item]];
    if (one === any) {
      star = at;
      from = item;
      at += 1;
    } else if (one !== undefined && other !== undefined && same(one, other)) {
      at += 1;
      item += 1;
    } else if (star >= 0) {
      from += 1;
      item = from;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === any) at += 1;
  return at === pattern.length;
};
