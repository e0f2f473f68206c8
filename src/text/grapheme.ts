const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** `from`: a known boundary. Reads no further than `at`. */
export const isBoundary = (text: string, from: number, at: number): boolean =>
  at <= from || at >= text.length || clusterStart(text, from, at) === at;

/** Judges by the text up to the code point at `at`. */
export const clusterStart = (text: string, from: number, at: number): number => {
  if (at <= from || plainPair(text, at)) return Math.max(from, at);
  const near = knownStart(text, from, at);
  const found = segmenter
    .segment(text.slice(near, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)))
    .containing(at - near);
  return near + (found?.index ?? 0);
};

/** Shortened to a cluster boundary, except that a longer first cluster is cut. */
export const firstCodePoints = (text: string, max: number): string => {
  let end = 0;
  for (let count = 0; count < max && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  if (end >= text.length) return text;
  const start = clusterStart(text, 0, end);
  return text.slice(0, start === 0 ? end : start);
};

/** Whether neither character ever joins another, CR LF excluded. */
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

/** A nearer boundary, so that no long text is segmented for a single call. */
const knownStart = (text: string, from: number, at: number): number => {
  for (let near = at - 1; near > from && near > at - 256; near -= 1) {
    if (plainPair(text, near)) return near;
  }
  return from;
};
