/** `direction` replaces a bidirectional control: visible in code, because a reviewer must see it, and empty in prose. */
export const showAll = (text: string, direction: (unit: string) => string = () => ""): string =>
  (CLEAN.test(text) ? text : cleaned(text, direction)).replaceAll(STACKED, "$1");

/** Spells each unprintable character as `[U+XXXX]`: nothing is hidden, and the exact text can be restored (WG5). */
export const spellInvisible = (text: string): string =>
  PRINTS.test(text) ? text : spell(text.replaceAll(SPELLING, "[U+005B]"), UNPRINTED);

/** For prose on a card, such as a reason or a title. Blanks of other widths and CRLF stay. */
export const spellInvisibleInProse = (text: string): string =>
  CLEAN.test(text) ? text : spell(text.replaceAll("\r\n", "\n"), UNPRINTED_PROSE);

/** For an untrusted sentence or name in a line of the host: one line, with every hidden character spelled. */
export const visibleText = (text: string): string =>
  spellInvisibleInProse(text)
    .replaceAll(/[\s\u2800]+/g, " ")
    .trim();

/** For a code span of one line. Different texts look different. */
export const visibleCode = (text: string): string =>
  spellInvisible(text).replaceAll(/[\n\t]|^ | (?= )| $/g, codePointName) || "?";

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

/** Scripts whose letters join, or do not, depending on U+200C and U+200D. */
const JOINING = (
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada " +
  "Malayalam Sinhala Khmer"
)
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");

/** Unicode's own list, the annotations of U+FFF9, and characters that draw an empty box of some width. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{16fe4}\u{13441}\u{13442}\u{1d159}`;

/** Keeps matches of all alternatives except the last: a match depends on the character before, not on removed characters. */
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

/** More marks than any script puts on one letter. The marks cover the lines above. */
const STACKED = /(\p{M}{8})\p{M}+/gu;

/** Keeps joiners that form letters, and emoji in Unicode's list, whose parts appear as one picture. */
const spell = (text: string, unprinted: RegExp): string =>
  text.replaceAll(unprinted, (found: string, emoji: string | undefined, at: number) => {
    if (emoji !== undefined)
      return LISTED_EMOJI.test(emoji) ? emoji : emoji.replaceAll(EMOJI_PARTS, codePointName);
    return formsLetters(text, found, at) ? found : codePointName(found);
  });

/** Whether a joiner changes how the letters around it look. */
const formsLetters = (text: string, found: string, at: number): boolean => {
  if (found !== "\u200c" && found !== "\u200d") return false;
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at + 1, at + 3);
  return INDIC.test(before)
    ? LETTER.test(after)
    : found === "\u200c" && ARABIC.test(before) && LETTER.test(after);
};

/** Texts without any character to spell, as most code is. */
const PRINTS = /^(?:[\t\n -Z\\-~\u00a1-\u00ac\u00ae-\u0300]|\[(?!U\+))*$/;

/** A part of the author's text that looks like a spelled character. */
const SPELLING = /\[(?=U\+[0-9A-F]{4,6}\])/g;

const LISTED_EMOJI = new RegExp(String.raw`^\p{RGI_Emoji}$`, "v");
const EMOJI_PARTS = /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/gu;

/** Text that ends with a letter that joins on both sides, possibly with a vowel mark. */
const ARABIC =
  /[\u0620\u0626\u0628\u062a-\u062e\u0633-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06ff][\u064b-\u0652]{0,2}$/;
/** Text that ends with the sign that ends an Indic vowel. */
const INDIC = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u17d2]$/;
const LETTER = /^\p{L}/u;

const EMOJI = String.raw`((?:\p{Extended_Pictographic}|[#*0-9](?=\ufe0f))(?:[\ufe0f\u200d\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]|(?<=\u200d)\p{Extended_Pictographic}){1,20})`;

const unprintedBut = (kept: string): RegExp =>
  new RegExp(String.raw`${EMOJI}|(?!${kept})[\p{C}\p{Z}\u2800${UNSEEN}]|(?<=\p{M}{8})\p{M}`, "gu");

const UNPRINTED = unprintedBut(String.raw`[\t\n ]`);
const UNPRINTED_PROSE = unprintedBut(String.raw`[\t\n]|\p{Zs}`);
