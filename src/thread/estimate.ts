/** Lower estimate of the next request's size (D15). Pictures are not counted: a thread is full only when its text is (D61). */

import type { TranscriptMessage } from "./prompt.ts";
import type { Context } from "../machine/state.ts";

/** Characters per token of text. Models use fewer bytes per token than this, so a request is never wrongly called too large. */
const CHARACTERS_A_TOKEN = 4;

/** Returns tokens: the last response's measured context, plus all text that was added afterwards. */
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
