/**
 * Reads lists of a forge page by page up to a limit, and reports the number of omitted items. So a first page does not count as
 * the whole list.
 */

export const ITEMS_A_PAGE = 100;
/** Maximum number of pages of one list. */
const MAX_PAGES = 10;

export interface Page<T> {
  readonly items: readonly T[];
  readonly isLast: boolean;
  /** Length of the whole list; null or absent if the forge does not count it. */
  readonly inAll?: number | null;
  /** Number of the last page, if the forge names it. */
  readonly lastPage?: number | null;
}

interface Gathered<T> {
  readonly items: readonly T[];
  /** Number of items that were not read; null if the forge does not count them. */
  readonly left: number | null;
}

type Read<T> = (page: number) => Promise<Page<T>>;

/** Reads the list from the beginning. */
export const gather = async <T>(read: Read<T>, most = MAX_PAGES): Promise<Gathered<T>> => {
  const items: T[] = [];
  let inAll: number | null = null;
  for (let page = 1; page <= most; page += 1) {
    const told = await read(page);
    items.push(...told.items);
    inAll = told.inAll ?? inAll;
    if (told.isLast) return { items, left: 0 };
  }
  return { items, left: inAll !== null && inAll > items.length ? inAll - items.length : null };
};

/** Reads the end of a list that the forge offers only with the oldest item first. The result has the same order. */
export const gatherEnd = async <T>(read: Read<T>, most = MAX_PAGES): Promise<Gathered<T>> => {
  const first = await read(1);
  const last = first.lastPage ?? null;
  if (first.isLast) return { items: first.items, left: 0 };
  if (last === null || last <= most)
    return gather((page) => (page === 1 ? Promise.resolve(first) : read(page)), most);
  const items: T[] = [];
  for (let page = last - most + 1; page <= last; page += 1) items.push(...(await read(page)).items);
  return { items, left: (last - most) * ITEMS_A_PAGE };
};

/** Number of items omitted from all lists; null if the number is unknown for any list. */
export const leftOf = (...lists: readonly Pick<Gathered<unknown>, "left">[]): number | null =>
  lists.reduce<number | null>((sum, { left }) => (sum === null || left === null ? null : sum + left), 0);
