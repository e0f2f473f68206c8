/** Functions of watches that read posts of people. */

import { english } from "../../../src/i18n/say.ts";
import { containsPattern, isQuestion } from "../../../src/features/watches/people/filter.ts";
import { lookText, readLook, reasonWithout } from "../../../src/features/watches/people/first-look-prompt.ts";
import { matterKeys } from "../../../src/features/watches/people/matter.ts";
import { peopleOptions } from "../../../src/features/watches/people/options.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  "watches: filtered": (text) => [isQuestion(text), containsPattern(text, "a*b*c")],
  "watches: matters of a post": matterKeys,
  "watches: request of a first look": (text) =>
    lookText({ instructions: text, post: text, matters: [], notes: [], corrections: [] }),
  "watches: answer of a first look": (text) => [
    readLook(text, { matters: [], post: text }),
    reasonWithout(text, text),
  ],
  "watches: options": (text) => {
    const read = peopleOptions(text);
    return read.kind === "unclear" ? read.why(english) : read;
  },
};
