/** Texts of people and of the model within the host's posts. Pure. */

import { spellInvisibleInProse } from "../../src/text/invisible.ts";
import { neutralize } from "../text/neutral.ts";

/** Characters of a quoted text. */
export const MAX_QUOTE = 1_500;

export const quoteText = (text: string, max = MAX_QUOTE): string => {
  const points = Array.from(spellInvisibleInProse(text));
  const short = points.length <= max ? points.join("") : `${points.slice(0, max).join("")} …`;
  return neutralize(short, [])
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};
