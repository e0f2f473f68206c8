/** Writing once to a forge, whatever gets lost on the way: what is written carries a mark that is looked for first. */

import type { WriteMarker } from "../ports/desk.ts";
import { ITEMS_A_PAGE } from "./gather.ts";

/** Pages that are looked through for what an earlier try has made. */
const MAX_PAGES = 5;

/** What was to be written may stand there: its answer was lost, and nobody could look. */
export class Perhaps extends Error {
  constructor(cause: unknown) {
    super("perhaps written", { cause });
  }
}

/** A list is too long to be looked through for one thing. */
export class TooMuch extends Error {}

export interface WriteAttempt {
  readonly mark: WriteMarker;
  readonly signal: AbortSignal;
  /** The forge has answered, and did not do it. */
  readonly isRefusal: (error: unknown) => boolean;
}

/**
 * What an earlier try has made, else it is made. An answer that was lost is no answer: it is looked for once more
 * before it is made again, and never made again where nobody could look.
 */
export const once = async <T>(
  { mark, signal, isRefusal }: WriteAttempt,
  find: () => Promise<T | null>,
  make: () => Promise<T>,
): Promise<T> => {
  const before = await find().catch((error: unknown) => {
    if (mark.again) throw new Perhaps(error);
    if (error instanceof TooMuch) return null;
    throw error;
  });
  if (before !== null) return before;
  try {
    return await make();
  } catch (error) {
    if (isRefusal(error)) throw error;
    if (signal.aborted) throw new Perhaps(error);
    try {
      return (await find()) ?? (await make());
    } catch (later) {
      throw new Perhaps(later);
    }
  }
};

/** What may be done twice, where its answer was lost. */
export const retryIdempotent = async <T>(
  isRefusal: WriteAttempt["isRefusal"],
  task: () => Promise<T>,
): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    if (isRefusal(error)) throw error;
    return task();
  }
};

/** The one of a list; null where it is not in it. A page that does not say is the last where it is not full. */
export const findOnPages = async <T>(
  read: (page: number) => Promise<readonly T[] | { readonly items: readonly T[]; readonly isLast: boolean }>,
  isIt: (item: T) => boolean,
): Promise<T | null> => {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const told = await read(page);
    const { items, isLast } = "items" in told ? told : { items: told, isLast: told.length < ITEMS_A_PAGE };
    const found = items.find(isIt);
    if (found !== undefined) return found;
    if (isLast) return null;
  }
  throw new TooMuch();
};

/** Clocks differ: an answer of the forge may seem to be older than what it answers. Milliseconds. */
const SLACK = 10 * 60_000;

/** Nothing that was made before can carry the mark. */
export const sinceOf = ({ since }: WriteMarker): Date => new Date(since - SLACK);

/** Unseen where Markdown is rendered. */
export const withWriteMarker = (text: string, { key }: WriteMarker): string =>
  `${text}\n\n<!-- parley:${key} -->`;

export const hasWriteMarker = (text: string | null | undefined, { key }: WriteMarker): boolean =>
  text?.includes(`parley:${key}`) === true;
