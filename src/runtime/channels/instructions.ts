/** What somebody wrote as a channel's instructions, as it is kept: the same from chat and from the console. Pure. */

import { MAX_INSTRUCTIONS } from "../../ports/channels.ts";
import type { Worded } from "../../i18n/say.ts";

type ReadInstructions =
  /** Null where it says nothing. */
  | { readonly kind: "read"; readonly text: string | null }
  /** `why` is a sentence for the person. */
  | { readonly kind: "refused"; readonly why: Worded };

export const readInstructions = (written: string): ReadInstructions => {
  const text = tidy(written);
  const size = Buffer.byteLength(text);
  return size > MAX_INSTRUCTIONS
    ? { kind: "refused", why: tooLongText(size) }
    : { kind: "read", text: text === "" ? null : text };
};

/** As people see it: without controls, without blank lines around it. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .trim();

const tooLongText =
  (size: number): Worded =>
  (say) =>
    say(
      "The text has {size} bytes, and a channel's instructions can have {most}. Shorten the text, or put the rest into AGENTS.md of the repository. Nothing was changed.",
      { size: size.toLocaleString(say.language), most: MAX_INSTRUCTIONS.toLocaleString(say.language) },
    );
