/**
 * Reads a shell command and lists everything in it that a shell would run.
 *
 * A courtesy instead of a security boundary: the reader catches slips and ordinary obfuscation, so that the agent gets a clear
 * refusal (BASH-007). Only the kernel enforces the limits of a command, and a program can always build a command that no text
 * analysis foresees.
 *
 * Text that does not parse is still read, because bash runs a script line by line up to the error. Commands are therefore
 * listed from the parts that the parser recovered, from lines before the first error, and from fragments between operators,
 * some of them twice.
 */
import type { ScriptStep } from "./command.ts";
import { createQuickBudget, createTimeBudget } from "./work-budget.ts";
import { walk } from "./walk.ts";

/**
 * `unparseable` is no verdict: recognized commands are still listed and judged. The reason is `syntax` (bash will report the
 * error) or `bounds` (the rest was not read).
 */
export type ParsedScript = Listed &
  ({ readonly kind: "parsed" } | { readonly kind: "unparseable"; readonly reason: "syntax" | "bounds" });

interface Listed {
  readonly steps: readonly ScriptStep[];
}

/** Maximum characters and parts of a script that is read as a whole. Parts are its commands. */
export const MAX_SCRIPT = 262_144;
export const MAX_PARTS = 2_000;

/** Limits for a script that is not read as a whole: number of parts, of skimmed parts, and characters of a part. */
const MAX_FRAGMENTS = 2_000;
const MAX_SKIMMED = 32;
const MAX_FRAGMENT = 20_000;

/**
 * Limits of glances: characters of one script, characters of all scripts of a call, and substitutions. Each nested substitution
 * is read once more.
 */
const MAX_GLANCE = 2_000;
const MAX_GLANCES = 8_000;
const MAX_SUBSTITUTIONS = 32;
const SUBSTITUTION = /[$<>]\(|`/g;

/** Milliseconds of processor time for a whole script, and for the fragments of a script that is not read as a whole. */
const STUDY_MILLIS = 700;
const FRAGMENTS_MILLIS = 300;

/** Reads a short and plain script within milliseconds, with the same result as `parse`; null for any other script. */
export const glance = (script: string): ParsedScript | null => {
  if (script.length > MAX_GLANCE || (script.match(SUBSTITUTION)?.length ?? 0) > MAX_SUBSTITUTIONS)
    return null;
  const patience = createQuickBudget();
  const walked = walk(script, patience);
  if (walked.broken.size > 0 || !walked.complete) return null;
  return { kind: "parsed", steps: walked.steps };
};

/**
 * Returns a glance function for one call, for its command and the project files that it runs: at most `MAX_GLANCES` characters
 * together.
 */
export const createGlances = (): typeof glance => {
  let left = MAX_GLANCES;
  return (script) => (script.length > MAX_GLANCE || (left -= script.length) < 0 ? null : glance(script));
};

/** Reads a script that exceeds `parse` within milliseconds, for the slips of BASH-007 alone. */
export const skim = (script: string): ParsedScript => {
  const look = createGlances();
  const read = fragmentsOf(script)
    .filter((text) => SLIP.test(text))
    .slice(0, MAX_SKIMMED)
    .flatMap((text) => look(text) ?? []);
  return { kind: "unparseable", reason: "bounds", ...joined(read) };
};

/** Programs with calls that BASH-007 refuses. */
const SLIP = /\b(?:git|rm)\b/;

/**
 * Reads a script, for about 1 s of processor time. Never throws. An ordinary command takes well under a millisecond, but the
 * time is unknown beforehand, so a host with other work must not call this function.
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

/** Reads possible slips first, because the budget may end early. */
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

/** Quoted text, an escaped character, a comment, the start of a here-document, an operator, any other text. */
const TOKENS = () =>
  /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|(?<comment>(?<=^|\s)#[^\n]*)|<<-?[ \t]*(?<quote>["']?)(?<delimiter>\w+)\k<quote>|(?<operator>[;&|\n()`])|[^'"\\;&|\n()`<#$]+|[\s\S]/g;

/** Words that a command may follow directly. */
const KEYWORDS = /^(?:\s*(?:if|then|elif|else|while|until|do|time|!|\{)(?=\s))+/;

/** Splits a script into texts with at most one command each. Comments and bodies of here-documents are omitted. */
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
