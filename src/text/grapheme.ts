/** Where one character that a person sees ends and the next begins. Pure. */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Whether a cluster begins at `at`; `from` is a place where one is known to begin. Reads no further than `at`. */
export const isBoundary = (text: string, from: number, at: number): boolean =>
  at <= from || at >= text.length || clusterStart(text, from, at) === at;

/** Where the cluster that holds the code unit `at` begins, judged by the text up to and with its code point. */
export const clusterStart = (text: string, from: number, at: number): number => {
  if (at <= from || plainPair(text, at)) return Math.max(from, at);
  const near = knownStart(text, from, at);
  const found = segmenter
    .segment(text.slice(near, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)))
    .containing(at - near);
  return near + (found?.index ?? 0);
};

/** The first `max` code points, cut back to where a cluster ends; a longer first cluster is cut through. */
export const firstCodePoints = (text: string, max: number): string => {
  let end = 0;
  for (let count = 0; count < max && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  if (end >= text.length) return text;
  const start = clusterStart(text, 0, end);
  return text.slice(0, start === 0 ? end : start);
};

/** Two characters of which neither ever joins another, a line end of two apart. */
const plainPair = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return isPlain(before) && isPlain(after) && !(before === 13 && after === 10);
};

/** ASCII; letters of Latin, Greek and Cyrillic; kana, Han and their punctuation. */
const isPlain = (unit: number): boolean =>
  unit < 0x80 ||
  (unit >= 0xc0 && unit <= 0x24f) ||
  (unit >= 0x370 && unit <= 0x481) ||
  (unit >= 0x3001 && unit <= 0x3029) ||
  (unit >= 0x3041 && unit <= 0x3096) ||
  (unit >= 0x30a1 && unit <= 0x30fa) ||
  (unit >= 0x4e00 && unit <= 0x9fff);

/** A nearer known start, so that a long text is not segmented for one question. */
const knownStart = (text: string, from: number, at: number): number => {
  for (let near = at - 1; near > from && near > at - 256; near -= 1) {
    if (plainPair(text, near)) return near;
  }
  return from;
};
