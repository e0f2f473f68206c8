/** Characters that do not show but change what is read. Pure. */

/**
 * Text with one kind of line end, no control characters, nothing invisible and nothing that turns the direction of
 * writing. What emoji and the scripts that join letters need stays. `direction` gives what to put for a character that
 * turns the direction; in code it is shown, since a reviewer must see it, in prose it is dropped.
 */
export const showAll = (text: string, direction: (unit: string) => string = () => ""): string =>
  (CLEAN.test(text) ? text : cleaned(text, direction)).replaceAll(STACKED, "$1");

/**
 * A name, a code or a sentence from outside, for a line of the host's own: on one line, with nothing in it that does
 * not show.
 */
export const shownWords = (text: string): string =>
  showAll(text, codePointName).replaceAll(/\s+/g, " ").trim();

/** The same for a code span, which would swallow what follows it if it held nothing. */
export const shownCode = (text: string): string => shownWords(text) || "?";

export const codePointName = (unit: string): string =>
  `[U+${(unit.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

const cleaned = (text: string, direction: (unit: string) => string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll(CONTROL, "")
    .replaceAll(DIRECTION, direction)
    .replaceAll(HIDDEN, (found, hidden: string | undefined) => (hidden === undefined ? found : ""));

const CLEAN = /^[\t\n -~\u00a1-\u00ac\u00ae-\u0300]*$/;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Scripts whose letters join, or do not, by U+200C and U+200D. */
const JOINING = (
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada " +
  "Malayalam Sinhala Khmer"
)
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");

const UNSEEN = String.raw`\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;

/**
 * Alternatives but the last are kept: flags of regions, joined emoji, joining letters, a first variation selector.
 * Each is kept for what it stands right behind, so that dropping others changes nothing about it.
 */
const HIDDEN = new RegExp(
  [
    String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}`,
    String.raw`(?<=[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    `(?<=[${JOINING}])[\\u200c\\u200d]`,
    `(?<=[^\\s${UNSEEN}])[\\ufe00-\\ufe0f]`,
    String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
    `([${UNSEEN}])`,
  ].join("|"),
  "gu",
);

/** More marks than any script puts on one letter: they reach over the lines above. */
const STACKED = /(\p{M}{8})\p{M}+/gu;
