/**
 * How large the text of the next request will at least be, before it is sent (D15). Pure; it looks at nothing but what
 * is new. Pictures are not counted: a thread is full only when its text is (D61).
 */

import type { TranscriptMessage } from "./prompt.ts";
import type { Context } from "../machine/state.ts";

/** Of text: models take fewer bytes for a token than this, so that nothing is called too large that is not. */
const CHARACTERS_A_TOKEN = 4;

/** Tokens: what the last response measured, and what has been said and has come back since. */
export const estimateTokens = (
  { used }: Pick<Context, "used">,
  history: readonly TranscriptMessage[],
): number => {
  const last = used === 0 ? -1 : history.findLastIndex(({ entry }) => entry.kind === "answer");
  return history.slice(last + 1).reduce((sum, told) => sum + sizeOf(told), used);
};

const sizeOf = ({ words }: TranscriptMessage): number => {
  if (words === null) return 0;
  return ("text" in words ? words.text.length : 0) / CHARACTERS_A_TOKEN;
};
