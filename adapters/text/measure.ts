/** What a platform counts, and how much of it one message may hold. Pure. */

/**
 * One message's room. `max` is counted in `units`: UTF-16 code units (Slack's and JavaScript's length), Unicode code
 * points (Discord's) or bytes of UTF-8; at least 64. `maxLines`, at least 8, bounds the lines as well.
 */
export interface Limit {
  readonly units: "utf16" | "codePoints" | "bytes";
  readonly max: number;
  readonly maxLines?: number;
}

/** A lone surrogate counts as the replacement character that it is sent as. */
export const measure = (text: string, units: Limit["units"]): number => {
  switch (units) {
    case "utf16":
      return text.length;
    case "codePoints":
      return text.length - (text.match(PAIR)?.length ?? 0);
    case "bytes":
      return Buffer.byteLength(text);
  }
};

/** The same for one code point. */
export const width = (codePoint: number, units: Limit["units"]): number => {
  switch (units) {
    case "utf16":
      return codePoint > 0xffff ? 2 : 1;
    case "codePoints":
      return 1;
    case "bytes":
      return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint > 0xffff ? 4 : 3;
  }
};

export const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
};

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
