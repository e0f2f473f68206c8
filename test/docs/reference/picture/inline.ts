/** Inline marks of both platforms as styled pieces of text, broken into lines. Pure. */

export interface Piece {
  readonly text: string;
  readonly style: "plain" | "bold" | "code" | "link" | "mention";
}

const MARKS: readonly (readonly [style: Piece["style"], mark: RegExp])[] = [
  ["link", /\[`?([^\]`]+)`?\]\(<[^>]*>\)/],
  ["link", /<https?:[^|>]*\|([^>]*)>/],
  ["mention", /<(@\w+)>/],
  ["code", /`([^`]+)`/],
  ["bold", /\*\*?([^*]+)\*\*?/],
];

/** Splits a line at its marks. */
export const piecesOf = (line: string): readonly Piece[] => {
  const found = MARKS.flatMap(([style, mark]) => {
    const match = mark.exec(line);
    return match === null ? [] : [{ style, match }];
  }).toSorted((a, b) => a.match.index - b.match.index);
  const [first] = found;
  if (first === undefined) return line === "" ? [] : [{ text: readable(line), style: "plain" }];
  const { match, style } = first;
  const after = line.slice(match.index + match[0].length);
  return [
    ...piecesOf(line.slice(0, match.index)),
    { text: readable(match[1] ?? ""), style },
    ...piecesOf(after),
  ];
};

/** Without escapes. */
const readable = (text: string): string =>
  text
    .replaceAll(/\\(?=[^\w\s])/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const NARROW = /[ ijl.,:;'|!()[\]`]/;
const WIDE = /[A-Zmw@%—]/;

/** An estimate for sans-serif fonts, in pixels at the given font size. */
export const widthOf = (text: string, size: number): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (NARROW.test(letter) ? 0.33 : WIDE.test(letter) ? 0.8 : 0.58),
    0,
  ) * size;

/** Breaks the pieces into lines that are at most `width` pixels wide. */
export const wrap = (
  pieces: readonly Piece[],
  width: number,
  size: number,
): readonly (readonly Piece[])[] => {
  const lines: Piece[][] = [[]];
  let used = 0;
  for (const { text, style } of pieces) {
    for (const word of text.split(/(?<= )/)) {
      const wide = widthOf(word, style === "code" ? size * 1.08 : size);
      if (used + wide > width && used > 0) {
        lines.push([]);
        used = 0;
      }
      const line = lines.at(-1) ?? [];
      const last = line.at(-1);
      if (last?.style === style) line[line.length - 1] = { text: last.text + word, style };
      else line.push({ text: word, style });
      used += wide;
    }
  }
  return lines;
};
