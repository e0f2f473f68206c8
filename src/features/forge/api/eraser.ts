/** Takes values out of a text whose length has to stay. Pure. */

import { longestPart, secretRanges } from "../../../text/secrets/known-values.ts";
import { withMarkedRanges } from "../../../text/ranges.ts";

/** Takes the place of each character where lengths have to stay. Means nothing to Markdown. */
const ERASED = "x";

/** Characters of the shortest value that is looked for. */
const LEAST = 8;

/** Whether a value may have been erased from it. */
export const mayLack = (text: string): boolean => text.includes(ERASED.repeat(LEAST));

export const eraseValues = (text: string, values: readonly string[]): string =>
  withMarkedRanges(text, secretRanges(text, values), (length) => ERASED.repeat(length));

/** `erased` for a text that arrives in pieces. */
interface Eraser {
  /** What is certain of the text so far, and was not given out before. */
  next(piece: string): string;
  /** What was held back, because a value could have begun there. */
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
