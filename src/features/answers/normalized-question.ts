/**
 * Normalizes questions: two questions with the same normalized text count as the same. Only spelling that cannot affect the
 * meaning is removed, because a wrongly reused answer is worse than a repeated question. Pure and linear.
 */

/** Maximum characters of a question; a longer message is a report or a task. */
export const LONGEST_QUESTION = 600;

export const normalizedQuestion = (text: string): string => {
  if (text.length > LONGEST_QUESTION) return text;
  let normalized = text;
  for (let before = ""; before !== normalized; ) {
    before = normalized;
    normalized = withoutManners(spelled(normalized.trim()));
  }
  return normalized;
};

/** In text of several lines, and in code between several backquotes, each space may matter. */
const VERBATIM = /[\r\n\u0085\u2028\u2029]|``/;

const spelled = (text: string): string => {
  if (VERBATIM.test(text)) return text;
  const parts = text.split(/(`[^`]*`|"[^"]*")/);
  const [first = "", ...rest] = parts.map((part, index) => (index % 2 === 1 ? part : spelledProse(part)));
  return [first.replace(/^\p{Lu}(?=\p{Ll}*[ '])/u, (letter) => letter.toLowerCase()), ...rest].join("");
};

/**
 * Letters keep their case: `Close` and `close` may be two functions. Only an `I` after certain verbs is treated as a pronoun.
 */
const spelledProse = (prose: string): string =>
  prose
    .normalize("NFC")
    .replaceAll(/[\uFF01-\uFF5E\uFF61-\uFF9F]+/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/“([^“”"]*)”/g, '"$1"')
    .replaceAll(/(?<=\p{L})[’＇](?=\p{L})/gu, "'")
    .replaceAll(/[\t\p{Zs}]+/gu, " ")
    .replaceAll(/\b(can|could|do|did|may|must|should|would|will) I\b(?!')/g, "$1 i");

/** A greeting counts as a greeting only before punctuation or the bot's name: `hello world` greets nobody. */
const withoutManners = (text: string): string =>
  text
    .replace(
      /^(?:hi|hello|hey|hallo|hola)(?: (?:there|all|everyone|everybody|team))?(?:[,!.]+| (?=@parley\b))/i,
      "",
    )
    .replace(/^@parley\b[,:!]*(?= )/i, "")
    .replace(/(?<=[?.!]) (?:thanks|thank you)(?: in advance)?[.!]*$/i, "")
    .replace(/^"([^"]*)"$/, "$1")
    .replace(/^¿/, "")
    .replace(/(?<=[^\s?])\?+!*$|(?<=[\p{L}\p{M}`"')])[.。]$/u, "")
    .trim();
