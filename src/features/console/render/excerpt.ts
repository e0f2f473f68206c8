/** Shortens text for display: never more than `max` UTF-16 units, and never half a character. Pure. */

import { clipText } from "../../../text/clip-text.ts";

/** Keeps the head and the tail, with the number of omitted characters between them. */
export const excerpt = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const room = Math.max(0, max - 60);
  const head = headOf(text, Math.ceil(room * 0.7));
  const tail = tailOf(text, Math.floor(room * 0.3));
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
};

/** The first line with text, cut at `max` with an ellipsis. */
export const firstLine = (text: string, max: number): string =>
  clipText(text.trimStart().split("\n", 1)[0]?.trimEnd() ?? "", max);

const headOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

const tailOf = (text: string, length: number): string =>
  text.slice(text.length - length).replace(/^[\udc00-\udfff]/, "");
