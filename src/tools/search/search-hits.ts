/** Files that contain more of the terms come first, then those with more matching lines (D31). */
import { withoutControls } from "../bash/terminal.ts";

export interface SearchLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** `path NUL number separator text`, as `rg --null --line-number --with-filename` writes it. */
const LINE = /^(?<path>[^\0]+)\0(?<number>\d+)(?<separator>[:-])(?<text>.*)$/s;

export const readLines = (output: string): readonly SearchLine[] =>
  output.split("\n").flatMap((line) => {
    const { path, number, separator, text } = LINE.exec(line)?.groups ?? {};
    if (path === undefined || text === undefined) return [];
    return [
      {
        path: withoutControls(path).replace(/^\.\//, ""),
        number: Number(number),
        text: withoutControls(text),
        isMatch: separator === ":",
      },
    ];
  });

export interface TermLines {
  readonly term: string;
  readonly lines: readonly SearchLine[];
  /** Whether there are more matches than these lines. */
  readonly isCut?: boolean;
}

interface FoundLine {
  readonly text: string;
  readonly isMatch: boolean;
}

interface FoundFile {
  readonly path: string;
  /** Number of distinct terms that match in the file. Terms with cut matches do not count. */
  readonly terms: number;
  readonly hits: number;
  readonly lines: ReadonlyMap<number, FoundLine>;
}

/** One entry per file, best first. A term with cut matches adds lines but no rank: its first matches are arbitrary. */
export const rankFiles = (found: readonly TermLines[]): readonly FoundFile[] => {
  const files = new Map<
    string,
    { terms: Set<string>; ranking: Set<number>; lines: Map<number, FoundLine> }
  >();
  for (const { term, lines, isCut = false } of found) {
    for (const line of lines) {
      const file = files.get(line.path) ?? { terms: new Set(), ranking: new Set(), lines: new Map() };
      files.set(line.path, file);
      if (line.isMatch && !isCut) file.terms.add(term);
      if (line.isMatch && !isCut) file.ranking.add(line.number);
      const isMatch = line.isMatch || file.lines.get(line.number)?.isMatch === true;
      file.lines.set(line.number, { text: line.text, isMatch });
    }
  }
  return [...files]
    .map(([path, { terms, ranking, lines }]) => ({
      path,
      terms: terms.size,
      ranking: ranking.size,
      hits: hitsOf(lines),
      lines,
    }))
    .toSorted(
      (a, b) => b.terms - a.terms || b.ranking - a.ranking || b.hits - a.hits || (a.path < b.path ? -1 : 1),
    );
};

const hitsOf = (lines: ReadonlyMap<number, FoundLine>): number =>
  [...lines.values()].filter((line) => line.isMatch).length;

const CONTEXTS = [10, 3, 1, 0];

/** Matching lines shown of one file if not everything fits, so that one file does not fill the answer. */
const MAX_HITS = 12;

/** Writes `path:line:text` for matches, `path-line-text` for context, `--` between parts; at most `budget` characters. */
export const writeFiles = (files: readonly FoundFile[], budget: number): string => {
  for (const context of CONTEXTS) {
    const blocks = files.map((file) => block(file, context, Number.POSITIVE_INFINITY));
    if (lengthOf(blocks) <= budget) return blocks.join(SEPARATOR);
  }
  const shown: string[] = [];
  for (const file of files) {
    const next = [...shown, block(file, 0, MAX_HITS)];
    if (lengthOf(next) > budget - NOTE_LENGTH) break;
    shown.push(...next.slice(-1));
  }
  const note = `[results truncated] ${shown.length} of ${files.length} matching files are shown, at most ${MAX_HITS} lines of each. Use more specific terms for the rest.`;
  return [...shown, note].join(SEPARATOR);
};

const SEPARATOR = "\n--\n";

const NOTE_LENGTH = 200;

const lengthOf = (blocks: readonly string[]): number =>
  blocks.reduce((sum, each) => sum + each.length + SEPARATOR.length, 0);

const block = (file: FoundFile, context: number, maxHits: number): string => {
  const matches = [...file.lines]
    .filter(([, line]) => line.isMatch)
    .map(([number]) => number)
    .toSorted((a, b) => a - b)
    .slice(0, maxHits);
  const written: string[] = [];
  let last: number | null = null;
  for (const match of matches) {
    const from = Math.max(match - context, (last ?? 0) + 1);
    for (let number = from; number <= match + context; number += 1) {
      const line = file.lines.get(number);
      if (line === undefined) continue;
      if (last !== null && number > last + 1) written.push("--");
      const mark = line.isMatch ? ":" : "-";
      written.push(`${file.path}${mark}${number}${mark}${line.text}`);
      last = number;
    }
  }
  return written.join("\n");
};
