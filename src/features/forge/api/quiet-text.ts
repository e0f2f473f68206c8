/** Text of the model that is posted on a forge without a click. Pure. The text commands no bot and notifies nobody. */

/** The first words of each answer, so that no answer begins with a command. */
const LEAD = "Parley:";

const BREAK = "\u200b";

/**
 * Bots read commands at the start of a line, and some of them read code and quotes too, so that the break is everywhere. A forge
 * renders a character reference like the character, so its ampersand is escaped.
 */
export const quietText = (text: string): string =>
  [
    LEAD,
    "",
    ...text
      .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
      .trimEnd()
      .split("\n")
      .map(quietLine),
  ].join("\n");

const quietLine = (line: string): string =>
  line
    .replaceAll(/&(?=#|commat|sol|excl|dollar)/gi, "&amp;")
    .replaceAll(/[@\uff20](?=[^\s\u200b])/g, `$&${BREAK}`)
    .replace(COMMAND, `$1${BREAK}$2`);

/** Signs with which commands of bots begin, after marks of quotes, lists and code. */
const COMMAND = /^((?:[\s>*+`~#_-]|\d{1,9}[.)])*)([/!](?=\S))/;
