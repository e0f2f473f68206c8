/** The answer to a question: places as `path:line`, each with the line as the tools showed it. Pure. */

import { definedName, type Evidence, type FileEvidence, weighLine, type Weights } from "./evidence.ts";
import { fenced, inlineCode } from "./markdown.ts";

/** A file as it was read in this turn, by line number. */
export interface Reading {
  readonly path: string;
  readonly lines: ReadonlyMap<number, string>;
}

/** What `cat -n` wrote. A long line is cut by bytes, so its last character may be half a one. */
export const numberedLines = (output: string): ReadonlyMap<number, string> =>
  new Map(
    output.split("\n").flatMap((row): readonly (readonly [number, string])[] => {
      const [, line, text] = /^ *(\d{1,7})\t(.*)$/.exec(row) ?? [];
      return text === undefined ? [] : [[Number(line), text.replace(/\uFFFD+$/, "")]];
    }),
  );

/** `others` were found and not read. */
export const citedAnswer = (
  readings: readonly Reading[],
  others: readonly FileEvidence[],
  weights: Evidence["weights"],
): string => {
  const [best, ...more] = readings;
  if (best === undefined) return "I found names that fit but could not read the files.";
  return [
    `The best match is ${inlineCode(best.path)}:`,
    ...citations(best, weights, MAX_CITED),
    snippet(best, weights),
    ...more.flatMap((reading) => {
      const lines = citations(reading, weights, MAX_MORE);
      return lines.length === 0 ? [] : [`Next is ${inlineCode(reading.path)}:`, ...lines];
    }),
    ...elsewhere(others),
  ].join("\n\n");
};

const MAX_CITED = 6;
const MAX_MORE = 3;
const SNIPPET = 16;
const MENTION = 2.5;

/** The lines that say most, in the order of the file; of a file that was found by its name, what it defines. */
const citations = (reading: Reading, weights: Weights, most: number): readonly string[] => {
  const weighed = [...reading.lines].map(([line, text]) => ({
    line,
    text,
    weight: weighLine(text, weights),
  }));
  const said = weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.line - b.line);
  const shown = said.length > 0 ? said : weighed.filter(({ text }) => definedName(text) !== "");
  const rows = shown.slice(0, most).toSorted((a, b) => a.line - b.line);
  return rows.length === 0
    ? []
    : [rows.map(({ line, text }) => citation(reading.path, line, text)).join("\n")];
};

const citation = (path: string, line: number, text: string): string =>
  `- ${inlineCode(`${path}:${line}`, 300)}: ${inlineCode(text)}`;

/** The stretch of the file that mentions it most: there a name is used, while the citations show where it is defined. */
const snippet = ({ path, lines }: Reading, weights: Weights): string => {
  const rows = [...lines].toSorted(([a], [b]) => a - b);
  const mentions = rows.map(([, text]) => Math.min(MENTION, weighLine(text, weights)));
  const sums = rows.map((_, from) =>
    mentions.slice(from, from + SNIPPET).reduce((sum, each) => sum + each, 0),
  );
  const from = Math.max(0, sums.indexOf(Math.max(...sums)));
  const shown = rows.slice(from, from + SNIPPET);
  const [first] = shown[0] ?? [0];
  const [last] = shown.at(-1) ?? [0];
  return `Lines ${first} to ${last}:\n\n${fenced(shown.map(([, text]) => text).join("\n"), languageOf(path))}`;
};

/** Files that were found and not read: cited from the search itself. */
const elsewhere = (others: readonly FileEvidence[]): readonly string[] => {
  const rows = others.flatMap(({ path, hits }) => {
    const best = hits.toSorted((a, b) => b.weight - a.weight)[0];
    return best === undefined ? [] : [citation(path, best.line, best.text)];
  });
  return rows.length === 0 ? [] : ["Also found, not read:", rows.slice(0, MAX_MORE).join("\n")];
};

const languageOf = (path: string): string => /\.([a-z]{1,4})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
