/** Erases values from a text without changing its length. Pure. */

import { longestPart, secretRanges } from "../../../text/secrets/known-values.ts";
import { withMarkedRanges } from "../../../text/ranges.ts";

/** Replaces each erased character; has no meaning in Markdown. */
const ERASED = "x";

/** Length of the shortest value that is erased. */
const LEAST = 8;

/** Whether a value may have been erased from the text. */
export const mayLack = (text: string): boolean => text.includes(ERASED.repeat(LEAST));

export const eraseValues = (text: string, values: readonly string[]): string =>
  withMarkedRanges(text, secretRanges(text, values), (length) => ERASED.repeat(length));

/** `erased` for a text that arrives in pieces. */
interface Eraser {
  /** Returns the text that later pieces cannot change and that was not returned before. */
  next(piece: string): string;
  /** Returns the remaining text. The text was withheld because a value could have started there. */
  end(): string;
}

export const createEraser = (values: readonly string[]): Eraser => {
  let held = "";
  return {
    next: (piece) => {
      const text = eraseValues(held + piece, values);
      const begun = longestPart(values, (value, length) => text.endsWith(value.slice(0, length)));
      held = text.slice(text.length - begun);
      return text.slice(0, text.length - begun);
    },
    end: () => held,
  };
};
