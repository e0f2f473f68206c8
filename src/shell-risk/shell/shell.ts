/**
 * Reads a shell command and lists everything in it that a shell would run.
 *
 * A courtesy, not a security boundary: it catches slips and ordinary obfuscation so that the agent gets a
 * clear refusal (BASH-007). What a command can do is decided by the kernel alone, and a program can always
 * build a command that no reading of text foresees.
 *
 * Text that does not parse is still read: bash runs a script line by line up to the error, so the commands
 * in the parts that the parser recovered, in the lines before the first error, and in the fragments between
 * operators are listed too, some of them twice.
 */
import type { ScriptStep } from "./command.ts";
import { createQuickBudget, createTimeBudget } from "./patience.ts";
import { walk } from "./walk.ts";

/**
 * A read command. `unparseable` is no verdict: what was recognised is still listed and is to be judged the
 * same way. Its reason is `syntax` (bash will report it) or `bounds` (the rest was not read).
 */
export type ParsedScript = Listed &
  ({ readonly kind: "parsed" } | { readonly kind: "unparseable"; readonly reason: "syntax" | "bounds" });

interface Listed {
  readonly steps: readonly ScriptStep[];
}

/** Characters and parts of a script that is read as a whole: its commands are the parts, whatever stands between them. */
export const MAX_SCRIPT = 262_144;
export const MAX_PARTS = 2_000;

/** Parts that are read of a script that is not, those of them that are skimmed, and characters of one. */
const MAX_FRAGMENTS = 2_000;
const MAX_SKIMMED = 32;
const MAX_FRAGMENT = 20_000;

/** Characters of a script that is worth a glance, of all that are for one call, and substitutions: each that stands in another is read once more. */
const MAX_GLANCE = 2_000;
const MAX_GLANCES = 8_000;
const MAX_SUBSTITUTIONS = 32;
const SUBSTITUTION = /[$<>]\(|`/g;

/** Milliseconds of processor time for a script as a whole, and for the fragments of one that has no whole. */
const STUDY_MILLIS = 700;
const FRAGMENTS_MILLIS = 300;

/** Reads a script that is short and plain, within milliseconds; null for any other. The same answer as `parse`. */
export const glance = (script: string): ParsedScript | null => {
  if (script.length > MAX_GLANCE || (script.match(SUBSTITUTION)?.length ?? 0) > MAX_SUBSTITUTIONS)
    return null;
  const patience = createQuickBudget();
  const walked = walk(script, patience);
  if (walked.broken.size > 0 || !walked.complete) return null;
  return { kind: "parsed", steps: walked.steps };
};

/** Glances for one call, at its command and the files of the project that it runs: no more than `MAX_GLANCES` characters. */
export const createGlances = (): typeof glance => {
  let left = MAX_GLANCES;
  return (script) => (script.length > MAX_GLANCE || (left -= script.length) < 0 ? null : glance(script));
};

/** What can be told of a script that is too much for `parse`, within milliseconds: the slips of BASH-007 alone. */
export const skim = (script: string): ParsedScript => {
  const look = createGlances();
  const read = fragmentsOf(script)
    .filter((text) => SLIP.test(text))
    .slice(0, MAX_SKIMMED)
    .flatMap((text) => look(text) ?? []);
  return { kind: "unparseable", reason: "bounds", ...joined(read) };
};

/** Programs that BASH-007 refuses some calls of. */
const SLIP = /\b(?:git|rm)\b/;

/**
 * Reads a script, for about 1 s of processor time. Never throws. An ordinary command takes well under a millisecond, but
 * nobody knows before: not for a host that has anything else to do.
 */
export const parse = (source: string): ParsedScript => {
  const fragments = fragmentsOf(source);
  if (source.length > MAX_SCRIPT || fragments.length > MAX_PARTS) {
    return { kind: "unparseable", reason: "bounds", ...readFragments(fragments) };
  }
  const patience = createTimeBudget(STUDY_MILLIS);
  const walked = walk(source, patience);
  const { broken, isBroken, complete } = walked;
  const listed = joined([walked, readFragments([...broken].flatMap(fragmentsOf))]);
  if (!complete) return { kind: "unparseable", reason: "bounds", ...listed };
  return isBroken ? { kind: "unparseable", reason: "syntax", ...listed } : { kind: "parsed", ...listed };
};

/** Those that may be a slip first: patience may end before the others are read. */
const readFragments = (fragments: readonly string[]): Listed => {
  const short = fragments.filter(({ length }) => length <= MAX_FRAGMENT);
  const slips = short.filter((text) => SLIP.test(text));
  const others = short.filter((text) => !SLIP.test(text));
  const parts: Listed[] = [];
  const patience = createTimeBudget(FRAGMENTS_MILLIS);
  for (const fragment of [...slips, ...others].slice(0, MAX_FRAGMENTS)) {
    parts.push(walk(fragment, patience));
    if (patience.isOver()) break;
  }
  return joined(parts);
};

const joined = (parts: readonly Listed[]): Listed => ({ steps: parts.flatMap(({ steps }) => steps) });

/** Quoted text, an escaped character, a comment, the start of a here-document, an operator, anything else. */
const TOKENS = () =>
  /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|(?<comment>(?<=^|\s)#[^\n]*)|<<-?[ \t]*(?<quote>["']?)(?<delimiter>\w+)\k<quote>|(?<operator>[;&|\n()`])|[^'"\\;&|\n()`<#$]+|[\s\S]/g;

/** Words that a command may follow directly. */
const KEYWORDS = /^(?:\s*(?:if|then|elif|else|while|until|do|time|!|\{)(?=\s))+/;

/** Splits a script into texts that each hold at most one command. Comments and here-documents' bodies are left out. */
export const fragmentsOf = (source: string): readonly string[] => {
  const fragments: string[] = [];
  const pending: string[] = [];
  let current = "";
  const tokens = TOKENS();
  for (let match = tokens.exec(source); match !== null; match = tokens.exec(source)) {
    const { comment, delimiter, operator } = match.groups ?? {};
    if (operator === undefined) {
      if (comment === undefined) current += match[0];
      if (delimiter !== undefined) pending.push(delimiter);
      continue;
    }
    fragments.push(current);
    current = "";
    if (operator === "\n") tokens.lastIndex = afterBodies(source, tokens.lastIndex, pending.splice(0));
  }
  return [...fragments, current]
    .map((text) => text.replace(KEYWORDS, "").trim())
    .filter((text) => text !== "");
};

const afterBodies = (source: string, from: number, delimiters: readonly string[]): number => {
  let at = from;
  for (const delimiter of delimiters) {
    const end = new RegExp(`^\\t*${delimiter}$`, "gm");
    end.lastIndex = at;
    at = end.exec(source) === null ? source.length : end.lastIndex;
  }
  return at;
};
