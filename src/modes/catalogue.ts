/** Work modes (TUL-010, AGN-013). An invalid catalog is refused completely, because a mode must not disappear unnoticed. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Mode, Modes } from "../ports/tools.ts";
import { z } from "zod";

type CatalogueResult =
  | { readonly kind: "catalogue"; readonly modes: Modes }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export const readCatalogue = (directory: string | null): CatalogueResult => {
  const ours = readDirectory(import.meta.dirname);
  const theirs = directory === null ? [] : readDirectory(directory);
  const replaced = new Set(modesIn(theirs).map(({ mode }) => mode.key));
  const newDefault = modesIn(theirs).some(({ isDefault }) => isDefault);
  const kept = modesIn(ours)
    .filter(({ mode }) => !replaced.has(mode.key))
    .map((one) => (newDefault ? { ...one, isDefault: false } : one));
  const found = [...kept, ...modesIn(theirs)].toSorted((a, b) => (a.mode.key < b.mode.key ? -1 : 1));
  const defaults = found.filter(({ isDefault }) => isDefault).map(({ mode }) => mode);
  const unsound = [...ours, ...theirs].flatMap((one) => (one.kind === "invalid" ? one.problems : []));
  const problems = [...unsound, ...defaultProblems(defaults)];
  const [initial] = defaults;
  return problems.length > 0 || initial === undefined
    ? { kind: "invalid", problems }
    : { kind: "catalogue", modes: { all: found.map(({ mode }) => mode), initial: initial.key } };
};

const modesIn = (all: readonly ParsedMode[]) => all.filter((one) => one.kind === "mode");

const readDirectory = (directory: string): readonly ParsedMode[] => {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(".md"));
    return names.map((name) => parseFile(join(directory, name)));
  } catch (error) {
    return [unread(`the modes directory ${directory}`, error)];
  }
};

const parseFile = (path: string): ParsedMode => {
  try {
    return parseMode(basename(path, ".md"), readFileSync(path, "utf8"));
  } catch (error) {
    return unread(path, error);
  }
};

const unread = (what: string, error: unknown): ParsedMode => {
  const why = error instanceof Error ? error.message : String(error);
  return { kind: "invalid", problems: [`${what} cannot be read: ${why}`] };
};

const defaultProblems = (defaults: readonly Mode[]): readonly string[] => {
  if (defaults.length === 1) return [];
  const names = defaults.map(({ key }) => key).join(", ");
  return [
    defaults.length === 0
      ? "no mode has `default: true`: exactly one mode must"
      : `several modes have \`default: true\` (${names}): exactly one mode must`,
  ];
};

type ParsedMode =
  | { readonly kind: "mode"; readonly mode: Mode; readonly isDefault: boolean }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** A mode must never look like a permission (C25). */
const RESERVED: ReadonlySet<string> = new Set(["restricted", "unrestricted"]);
const KEY = /^[a-z0-9_]{1,40}$/;
const MAX_PROMPT = 20_000;

const header = z.strictObject({
  name: z.string().min(1).max(60),
  when: z.string().min(1).max(400),
  default: z.enum(["true", "false"]).optional(),
  model: z.string().min(1).max(300).optional(),
});

export const parseMode = (key: string, text: string): ParsedMode => {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (found === null) return invalid(key, ["the file must begin with a header between two lines of `---`"]);
  const [, head = "", body = ""] = found;
  const parsed = header.safeParse(Object.fromEntries(head.split(/\r?\n/).filter(Boolean).map(field)));
  const prompt = body.trim();
  const problems = [
    ...(KEY.test(key) ? [] : ["the name must be a-z, 0-9 and _"]),
    ...(RESERVED.has(key) ? ["the name is a permission, not a mode"] : []),
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [...path, message].join(": "))),
    ...(prompt === "" ? ["the prompt below the header is missing"] : []),
    ...(prompt.length > MAX_PROMPT ? [`the prompt has more than ${MAX_PROMPT} characters`] : []),
  ];
  if (!parsed.success || problems.length > 0) return invalid(key, problems);
  const { name, when, default: isDefault, model } = parsed.data;
  const own = model === undefined ? {} : { model };
  return {
    kind: "mode",
    mode: { key, name, whenToUse: when, prompt, ...own },
    isDefault: isDefault === "true",
  };
};

const invalid = (key: string, problems: readonly string[]): ParsedMode => ({
  kind: "invalid",
  problems: problems.map((problem) => `mode ${key}: ${problem}`),
});

const field = (line: string): readonly [string, string] => {
  const at = line.indexOf(":");
  return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
};
