/** Source text between expansions, quoted and unquoted: what its backslashes leave. */
import type { WordPiece } from "./word.ts";

/** Unquoted text: a backslash makes the next character plain, or joins two lines. */
export const readUnquoted = (source: string): readonly WordPiece[] =>
  [...source.matchAll(/\\\n|\\([\s\S]?)|[^\\]+/g)].flatMap(([whole, escaped]): readonly WordPiece[] => {
    if (whole === "\\\n") return [];
    return escaped === undefined
      ? [{ kind: "text", text: whole, active: true }]
      : [{ kind: "text", text: escaped, active: false }];
  });

/** Text in double quotes or in a here-document: only some characters can be escaped. */
export const readQuoted = (source: string): readonly WordPiece[] => [
  {
    kind: "text",
    text: source.replace(/\\\n|\\([$`"\\])/g, (_, kept?: string) => kept ?? ""),
    active: false,
  },
];
