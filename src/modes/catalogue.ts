/**
 * The catalogue of work modes (TUL-010, AGN-013): one Markdown file each, ours beside this file and the operator's in a
 * directory of theirs, which may replace one of ours by its key. A catalogue that is not sound is refused whole, with
 * every problem named: a mode must not vanish unnoticed.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Mode, Modes } from "../ports/tools.ts";
import { type ParsedMode, parseMode } from "./parse.ts";

type CatalogueResult =
  | { readonly kind: "catalogue"; readonly modes: Modes }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** `directory`: the operator's modes; null without. */
export const readCatalogue = (directory: string | null): CatalogueResult => {
  const ours = readDirectory(import.meta.dirname);
  const theirs = directory === null ? NOTHING : readDirectory(directory);
  const replaced = new Set(theirs.found.map(({ mode }) => mode.key));
  const newDefault = theirs.found.some(({ isDefault }) => isDefault);
  const kept = ours.found
    .filter(({ mode }) => !replaced.has(mode.key))
    .map((one) => (newDefault ? { ...one, isDefault: false } : one));
  const found = [...kept, ...theirs.found].toSorted((a, b) => (a.mode.key < b.mode.key ? -1 : 1));
  const defaults = found.filter(({ isDefault }) => isDefault).map(({ mode }) => mode);
  const problems = [...ours.problems, ...theirs.problems, ...defaultProblems(defaults)];
  const [initial] = defaults;
  return problems.length > 0 || initial === undefined
    ? { kind: "invalid", problems }
    : { kind: "catalogue", modes: { all: found.map(({ mode }) => mode), initial: initial.key } };
};

interface Found {
  readonly found: readonly (ParsedMode & { readonly kind: "mode" })[];
  readonly problems: readonly string[];
}

const NOTHING: Found = { found: [], problems: [] };

const readDirectory = (directory: string): Found => {
  const listed = list(directory);
  if (typeof listed === "string") return { found: [], problems: [listed] };
  const parsed = listed.map((name) => parseFile(join(directory, name)));
  return {
    found: parsed.flatMap((one) => (one.kind === "mode" ? [one] : [])),
    problems: parsed.flatMap((one) => (one.kind === "invalid" ? one.problems : [])),
  };
};

const list = (directory: string): readonly string[] | string => {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".md"));
  } catch (error) {
    return `the directory of modes ${directory} cannot be read: ${reason(error)}`;
  }
};

const parseFile = (path: string): ParsedMode => {
  try {
    return parseMode(basename(path, ".md"), readFileSync(path, "utf8"));
  } catch (error) {
    return { kind: "invalid", problems: [`${path} cannot be read: ${reason(error)}`] };
  }
};

const defaultProblems = (defaults: readonly Mode[]): readonly string[] => {
  if (defaults.length === 1) return [];
  const names = defaults.map(({ key }) => key).join(", ");
  return [
    defaults.length === 0
      ? "no mode says `default: true`: exactly one must"
      : `several modes say \`default: true\` (${names}): exactly one must`,
  ];
};

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
