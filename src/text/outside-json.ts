/** Apply limits before a schema: a schema makes an issue of each invalid element, so megabytes of `1,` fill the memory. */

export interface JsonBounds {
  /** Elements and fields in total. */
  readonly parts: number;
  readonly depth: number;
  /** Bytes, or characters of a text; unlimited if absent. */
  readonly size?: number;
}

const USUAL_JSON: JsonBounds = { parts: 200_000, depth: 200 };

/** Null if the document is within the limits. Takes linear time and does not parse the text. */
export const overBounds = (text: string, bounds: JsonBounds = USUAL_JSON): string | null => {
  const count = createJsonCount(bounds);
  for (let at = 0; at < text.length; at += 1) {
    const over = count.take(text.charCodeAt(at));
    if (over !== null) return over;
  }
  return null;
};

interface JsonCount {
  take(code: number): string | null;
  /** Number of commas in the outermost list or object so far. */
  entries(): number;
  reset(): void;
}

export const createJsonCount = ({
  parts,
  depth,
  size: most = Number.POSITIVE_INFINITY,
}: JsonBounds = USUAL_JSON): JsonCount => {
  let size = 0;
  let count = 0;
  let top = 0;
  let level = 0;
  let isText = false;
  let isEscaped = false;
  return {
    take: (code) => {
      size += 1;
      if (size > most) return `is longer than ${most / 2 ** 20} MiB`;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isText = false;
        return null;
      }
      if (code === QUOTE) isText = true;
      else if (code === COMMA) {
        count += 1;
        if (level === 1) top += 1;
      } else if (code === BRACKET || code === BRACE) {
        count += 1;
        level += 1;
      } else if (code === BRACKET_END || code === BRACE_END) level -= 1;
      if (level > depth) return `nests deeper than ${depth} levels`;
      return count > parts ? `has more than ${parts} elements` : null;
    },
    entries: () => top,
    reset: () => {
      count = 0;
      size = 0;
      top = 0;
      level = 0;
      isText = false;
      isEscaped = false;
    },
  };
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

export type OutsideJson =
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "wrong"; readonly why: string };

/** `why` completes a sentence that names the document. */
export const readOutside = (text: string, bounds: JsonBounds = USUAL_JSON): OutsideJson => {
  const over = overBounds(text, bounds);
  if (over !== null) return { kind: "wrong", why: over };
  try {
    return { kind: "read", value: JSON.parse(text) };
  } catch {
    return { kind: "wrong", why: "is not JSON" };
  }
};
