/**
 * Source text between expansions, quoted and unquoted: what its backslashes leave, and the escapes of `echo -e` and
 * `printf` formats.
 */
import type { Piece } from "./word.ts";

/** Unquoted text: a backslash makes the next character plain, or joins two lines. */
export const readUnquoted = (source: string): readonly Piece[] =>
  [...source.matchAll(/\\\n|\\([\s\S]?)|[^\\]+/g)].flatMap(([whole, escaped]): readonly Piece[] => {
    if (whole === "\\\n") return [];
    return escaped === undefined
      ? [{ kind: "text", text: whole, active: true }]
      : [{ kind: "text", text: escaped, active: false }];
  });

/** Text in double quotes or in a here-document: only some characters can be escaped. */
export const readQuoted = (source: string): readonly Piece[] => [
  {
    kind: "text",
    text: source.replace(/\\\n|\\([$`"\\])/g, (_, kept?: string) => kept ?? ""),
    active: false,
  },
];

const SIMPLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "\u0007",
    b: "\b",
    e: "\u001b",
    E: "\u001b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
    v: "\v",
  }),
);

/** These stand for themselves. */
const OWN = "\\'\"?";

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,4})|c([\s\S])|([\s\S]))/g;

/** The text that the escapes stand for. An unknown escape keeps its backslash, as in bash. */
export const decodeEscapes = (text: string): string =>
  text.replace(
    ESCAPE,
    (whole, x?: string, u?: string, wide?: string, octal?: string, control?: string, other?: string) => {
      const hex = x ?? u ?? wide;
      if (hex !== undefined) return fromCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      return SIMPLE.get(other ?? "") ?? (OWN.includes(other ?? whole) ? (other ?? whole) : whole);
    },
  );

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
