/**
 * What the tools found, read from their text and weighed: which files and lines answer best. Pure.
 *
 * A name that is defined weighs more than one that is used, a rare word more than a common one, source more than
 * prose, and prose more than tests.
 */

import type { Terms } from "./terms.ts";

interface Hit {
  readonly line: number;
  readonly text: string;
  readonly weight: number;
}

export interface FileEvidence {
  readonly path: string;
  readonly weight: number;
  /** In the order of the file. */
  readonly hits: readonly Hit[];
}

/** What each word counts. */
export type Weights = ReadonlyMap<string, number>;

export interface Evidence {
  /** Best first. */
  readonly files: readonly FileEvidence[];
  readonly weights: Weights;
}

/** `outputs`: texts with `path:line:text` in them. `paths`: files whose names matched. */
export const weigh = (outputs: readonly string[], paths: readonly string[], terms: Terms): Evidence => {
  const found = new Map<string, Map<number, string>>(paths.map((path) => [path, new Map()]));
  for (const { path, line, text } of outputs.flatMap(matchLines)) {
    const lines = found.get(path) ?? new Map<number, string>();
    found.set(path, lines.set(line, text));
  }
  const weights = weightsOf(terms, [...found.values()]);
  const files = [...found]
    .map(([path, lines]) => fileEvidence(path, lines, terms, weights))
    .filter((file) => file.weight > 0)
    .toSorted((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1));
  return { files, weights };
};

/** How much a line says; 0 where it holds none of the words. */
export const weighLine = (text: string, weights: Weights): number => {
  const lower = text.toLowerCase();
  const named = definedName(text).toLowerCase();
  let weight = 0;
  for (const [word, share] of weights) {
    if (lower.includes(word)) weight += named.includes(word) ? share * 4 : share;
  }
  if (IMPORT.test(text)) return weight / 5;
  return COMMENT.test(text) ? weight / 2 : weight;
};

/** The name that a line defines, in most languages; empty for other lines. */
export const definedName = (text: string): string => DEFINITION.exec(text)?.[1] ?? "";

interface MatchLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const matchLines = (output: string): readonly MatchLine[] =>
  output.split("\n").flatMap((row) => {
    const [, path, line, text] = /^([^:\0]{1,300}):(\d{1,7}):(.*)$/.exec(row) ?? [];
    if (path === undefined || text === undefined) return [];
    return [{ path: path.replace(/^\.\//, ""), line: Number(line), text }];
  });

/** What the question names counts more than what is only related; what stands in every file counts little. */
const weightsOf = (terms: Terms, files: readonly ReadonlyMap<number, string>[]): Weights => {
  const texts = files.map((lines) => [...lines.values()].join("\n").toLowerCase());
  const shareOf = (word: string): number => {
    const holding = texts.filter((text) => text.includes(word)).length;
    return Math.log(1 + texts.length / Math.max(1, holding));
  };
  const related = terms.related.map((word) => word.toLowerCase());
  return new Map([
    ...related.map((word) => [word, shareOf(word)] as const),
    ...terms.asked.map((word) => {
      const lower = word.toLowerCase();
      return [lower, (isName(word) ? 5 : 1.5) * shareOf(lower)] as const;
    }),
  ]);
};

/** A word that only code has: one with an underscore, a dot, a slash or a hump. */
const isName = (word: string): boolean => /[_$./]|[a-z][A-Z]/.test(word);

const fileEvidence = (
  path: string,
  lines: ReadonlyMap<number, string>,
  terms: Terms,
  weights: Weights,
): FileEvidence => {
  const hits = [...lines]
    .map(([line, text]) => ({ line, text, weight: weighLine(text, weights) }))
    .filter((hit) => hit.weight > 0)
    .toSorted((a, b) => a.line - b.line);
  const all = hits.map((hit) => hit.text.toLowerCase()).join("\n");
  const distinct = [...weights].filter(([word]) => all.includes(word)).map(([, share]) => share);
  const best = hits.map((hit) => hit.weight).toSorted((a, b) => b - a);
  const inName = terms.asked.filter((word) => path.toLowerCase().includes(word.toLowerCase())).length;
  const weight = sum(best.slice(0, BEST)) + 3 * sum(distinct) + inName * 5;
  return { path, hits, weight: weight * shareOfPath(path) };
};

/** Only the best lines count, so that a long file does not win by its length. */
const BEST = 6;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const shareOfPath = (path: string): number => {
  if (MADE.test(path)) return 0.1;
  if (TRIAL.test(path)) return 0.25;
  return PROSE.test(path) ? 0.5 : 1;
};

const MADE =
  /(^|\/)(vendor|third_party|node_modules|dist|build|fixtures?|generated)\/|\.(lock|min\.js|map|svg|snap)$|-lock\./;
const TRIAL = /(^|\/)(tests?|specs?|__tests__|examples?|demo|bench)\/|[._-](test|spec|bench)\.|demo/i;
const PROSE = /\.(md|mdx|rst|txt|adoc|html|json|ya?ml|toml)$/i;

/** Only at the beginning of a line: what stands further on is a use, or a string. */
const DEFINITION =
  /^\s*(?:(?:export|default|declare|async|abstract|public|private|protected|internal|static|pub(?:\([a-z]+\))?|inline|final|extern|override|const)\s+)*(?:const|let|var|val|function\*?|func|fn|def|class|interface|type|struct|enum|trait|module|impl|#\s*define)\s+\*?([\p{L}_$][\p{L}\p{N}_$]*)/u;
const IMPORT = /^\s*(?:import|from|use|using|require|#\s*include|export\s*\{|\}\s*from)\b/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\s*define)|--|<!--|"""|;)/;
