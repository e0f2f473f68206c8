import { MAX_INSTRUCTIONS } from "../../ports/channels.ts";
import type { LocalizedText } from "../../i18n/say.ts";

type ReadInstructions =
  | { readonly kind: "read"; readonly text: string | null }
  | { readonly kind: "refused"; readonly why: LocalizedText };

export const readInstructions = (written: string): ReadInstructions => {
  const text = tidy(written);
  const size = Buffer.byteLength(text);
  return size > MAX_INSTRUCTIONS
    ? { kind: "refused", why: tooLongText(size) }
    : { kind: "read", text: text === "" ? null : text };
};

/** Removes invisible characters, so that people see the whole text. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .trim();

const tooLongText =
  (size: number): LocalizedText =>
  (say) =>
    say(
      "The text has {size} bytes, and a channel's instructions can have {most}. Shorten the text, or put the rest into AGENTS.md of the repository. Nothing was changed.",
      { size: size.toLocaleString(say.language), most: MAX_INSTRUCTIONS.toLocaleString(say.language) },
    );
