/** Finds ends of sentences in English, Chinese and Japanese. Pure and linear. */

/** Whether the text contains a complete sentence of at least `bytes` bytes of UTF-8. */
export const hasSentence = (text: string, bytes: number): boolean => {
  const prose = text.replaceAll(NO_PROSE, (found) => "x".repeat(found.length));
  let from = 0;
  for (const { 0: mark, index } of prose.matchAll(END)) {
    const end = index + mark.length;
    if (mark.startsWith(".") && !endsAt(prose, index, end)) continue;
    if (bytesOf(text.slice(from, end).trim()) >= bytes) return true;
    from = end;
  }
  return false;
};

/** Code, also if its end is missing, and addresses without the mark after them. */
const NO_PROSE = /(`+|~~~+)[^]*?(?:\1|$)|https?:\/\/\S*[^\s.!?。！？]/g;

/** Only the first mark of a run begins a match; otherwise the time would grow with the square of the run. */
const END = /(?<![.!?])[.!?]+["'”’»)\]*_~]*(?=\s)|[。！？]+["'”’」』）】*_~]*/g;

/** Whether a period ends a sentence: not after an abbreviation or a list number, and not before a lower-case word. */
const endsAt = (prose: string, at: number, end: number): boolean => {
  const line = prose.slice(Math.max(0, at - LONGEST), at);
  const word = /[^\s("'“‘«[*_]*$/.exec(line)?.[0] ?? "";
  const isNumberOfList = /^\s*\d+$/.test(line.slice(line.lastIndexOf("\n") + 1));
  const isAbbreviation = DOTTED.test(word) || ABBREVIATIONS.has(word.toLowerCase());
  const next = prose.slice(end, end + LONGEST).trimStart();
  return prose[at + 1] !== "." && !isNumberOfList && !isAbbreviation && !/^\p{Ll}/u.test(next);
};

const LONGEST = 40;

/** A single letter, as in a name or a list, or letters with periods: `e.g`, `U.S`. */
const DOTTED = /^(?:\p{L}\.)*\p{L}$/u;

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "al approx ca cf corp dept dr ed eds etc excl fig figs inc incl jr ltd mr mrs ms nr pp prof resp sec sr st ver vol vs".split(
    " ",
  ),
);

/** In UTF-8. */
const bytesOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    const code = character.codePointAt(0) ?? 0;
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4);
  }, 0);
