/** Unique words for every field of a message that people can see, numbered in the order in which the platform draws them. */

import { expect } from "vitest";

export interface Markers<Reason extends string> {
  /** The next marker. */
  readonly mark: () => string;
  /** A marker that does not have to reach the model. */
  readonly without: (reason: Reason) => string;
  /** Markers that were made without a reason to leave them out. */
  readonly wanted: () => readonly string[];
  /** Markers of one reason. */
  readonly spared: (reason: Reason) => readonly string[];
}

export const createMarkers = <Reason extends string>(): Markers<Reason> => {
  const made: { readonly word: string; readonly reason: Reason | null }[] = [];
  const add = (reason: Reason | null): string => {
    const word = `mk${made.length}x`;
    made.push({ word, reason });
    return word;
  };
  const words = (reason: Reason | null): readonly string[] =>
    made.filter((one) => one.reason === reason).map(({ word }) => word);
  return {
    mark: () => add(null),
    without: add,
    wanted: () => words(null),
    spared: words,
  };
};

/**
 * Asserts that each marker of `given` that is not spared is in `text`, in the order of its number. `unordered`: markers
 * that may be anywhere.
 */
export const expectAll = (
  markers: Pick<Markers<string>, "wanted">,
  given: unknown,
  text: string,
  unordered: readonly string[] = [],
): void => {
  const sent = markersIn(JSON.stringify(given));
  const wanted = markers.wanted().filter((word) => sent.includes(word));
  const read = markersIn(text);
  expect(wanted.filter((word) => !read.includes(word))).toEqual([]);
  const ordered = (words: readonly string[]) =>
    words.filter((word) => wanted.includes(word) && !unordered.includes(word));
  expect(ordered([...new Set(read)])).toEqual(ordered(wanted));
};

export const markersIn = (text: string): readonly string[] => text.match(/mk\d+x/g) ?? [];
