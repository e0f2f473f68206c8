/**
 * Writes to a forge exactly once, even if an answer is lost. Each write carries a mark, and a search for the mark precedes the
 * write.
 */

import type { WriteMarker } from "../ports/forge-writer.ts";
import { ITEMS_A_PAGE } from "./gather.ts";

/** Maximum number of pages to search for the result of an earlier try. */
const MAX_PAGES = 5;

/** It is unknown whether the write happened: its answer was lost, and the search for its mark failed. */
export class Perhaps extends Error {
  constructor(cause: unknown) {
    super("perhaps written", { cause });
  }
}

/** Thrown if a list is too long to be searched. */
export class TooMuch extends Error {}

export interface WriteAttempt {
  readonly mark: WriteMarker;
  readonly signal: AbortSignal;
  /** Whether the forge has answered and the answer is a refusal. */
  readonly isRefusal: (error: unknown) => boolean;
}

/**
 * Returns the result of an earlier try, or calls `make`. If an answer is lost, the mark is searched for again
 * before the second try. If that search fails, nothing is written again.
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

/** Runs a task again if its answer was lost; the task must be harmless to repeat. */
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

/**
 * Finds an item in a list; null if the list does not contain the item. A page without `isLast` is the last page if the page is
 * not full.
 */
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

/** Milliseconds. Clocks differ, so an answer of the forge may seem older than the request. */
const SLACK = 10 * 60_000;

/** Returns a time before which no text can contain the mark. */
export const sinceOf = ({ since }: WriteMarker): Date => new Date(since - SLACK);

/** The comment is invisible in rendered Markdown. */
export const withWriteMarker = (text: string, { key }: WriteMarker): string =>
  `${text}\n\n<!-- parley:${key} -->`;

export const hasWriteMarker = (text: string | null | undefined, { key }: WriteMarker): boolean =>
  text?.includes(`parley:${key}`) === true;

/** Whether Parley wrote the text. */
export const hasParleyMark = (text: string): boolean => /<!-- parley:[0-9a-z-]+ -->/.test(text);
