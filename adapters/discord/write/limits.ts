/**
 * Keeps foreign text inside its own part of a Discord message. Discord tries its patterns from left to right, so emphasis or a
 * spoiler before a code span may end inside the code, or in a line of the host below. The opening mark is escaped. A link's
 * label may end inside code, even if the label starts in the host's text above; a zero-width break follows such an end. Pure.
 */

import { tickRuns } from "../../../src/text/markdown/backticks.ts";
import { BREAK } from "../../text/code.ts";

/** Discord refuses longer messages. */
const MAX_TEXT = 4_000;

/**
 * `after`: rest of the message below the text. Patterns across lines are escaped too, because parts may be
 * inside a list.
 */
export const withinLimits = (text: string, after: string): string => {
  if (text.length > MAX_TEXT || !/[*_~|]|\]\(/.test(text)) return text;
  const whole = `${text}\n${after}`;
  const code = codeIn(whole);
  // After an escaped mark, an earlier mark of the same kind may reach further. So every mark of that kind
  // without a pattern is escaped.
  for (let kinds = ""; ; ) {
    const { out, reaches } = pass(text, whole, code, kinds);
    if (reaches === "") return out;
    kinds += reaches;
  }
};

const MARK = /[*_~|]/;

/** `kinds`: marks that are escaped. `reaches`: the first other mark whose pattern ends beyond the text. */
const pass = (
  text: string,
  whole: string,
  code: Ends,
  kinds: string,
): { readonly out: string; readonly reaches: string } => {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const mark = text[at] ?? "";
    const passed =
      code.get(at) ?? escapedIn(text, at) ?? addressIn(text, at) ?? (MARK.test(mark) ? null : at + 1);
    const end = passed ?? endOf(whole, at, code);
    if (end === "beyond" && !kinds.includes(mark)) return { out, reaches: mark };
    if (passed === null && typeof end !== "number" && kinds.includes(mark)) out += "\\";
    const to = typeof end === "number" ? Math.min(end, text.length) : at + 1;
    const taken = text.slice(at, to);
    out += code.has(at) ? withoutEnds(taken) : taken;
    at = to;
  }
  return { out, reaches: "" };
};

/** Returns the code with a break after each end of a label that starts elsewhere. */
const withoutEnds = (code: string): string =>
  code.replaceAll(/\[[^\]\n]*\]|\](?=\()/g, (found) => (found === "]" ? `]${BREAK}` : found));

type Ends = ReadonlyMap<number, number>;

/** Returns the end of each code span and fence, by its start. */
const codeIn = (text: string): Ends => {
  const found = new Map<number, number>();
  const runs = tickRuns(text);
  for (let at = 0; at < text.length; ) {
    const run = runs.get(at);
    const close = run?.close ?? -1;
    if (close !== -1) found.set(at, close);
    at = close === -1 ? (escapedIn(text, at) ?? at + (run?.length ?? 1)) : close;
  }
  return found;
};

const escapedIn = (text: string, at: number): number | null =>
  text[at] === "\\" && /[^0-9A-Za-z\s]/.test(text[at + 1] ?? "") ? at + 2 : null;

const addressIn = (text: string, at: number): number | null => {
  ADDRESS.lastIndex = at;
  return ADDRESS.test(text) ? ADDRESS.lastIndex : null;
};

/** Limited to one line: in a quote, a pattern ends with the quote, and later marks start patterns. */
const ADDRESS = /<[^: >\n]+:\/[^ >\n]+>/y;

/** The patterns that Discord tries at a mark. The group is the closing mark. The longest match counts. */
const PATTERNS: readonly RegExp[] = [
  /_(?:__|\\[^]|[^\\_])+?(_)\b/dy,
  /\*(?=\S)(?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?(\*)(?!\*)/dy,
  /\*\*(?:\\[^]|[^\\])+?(\*\*)(?!\*)/dy,
  /__(?:\\[^]|[^\\])+?(__)(?!_)/dy,
  /~~[^]+?(~~)(?!_)/dy,
  /\|\|[^]+?(\|\|)/dy,
];

/**
 * Returns the index after the pattern that starts at `at`. "beyond" if the pattern ends in code or on a later
 * line; null if none starts.
 */
const endOf = (whole: string, at: number, code: Ends): number | "beyond" | null => {
  let longest: readonly [number, number] | null = null;
  for (const pattern of PATTERNS) {
    pattern.lastIndex = at;
    const [, close] = pattern.exec(whole)?.indices ?? [];
    if (close !== undefined && close[1] > (longest?.[1] ?? 0)) longest = close;
  }
  if (longest === null) return null;
  const [from, end] = longest;
  const newline = whole.indexOf("\n", at);
  if (newline !== -1 && newline < end) return "beyond";
  return isInCode(code, at, from) ? "beyond" : end;
};

const isInCode = (code: Ends, after: number, at: number): boolean => {
  for (let here = after; here <= at; ) {
    const end = code.get(here);
    if (end !== undefined && end > at) return true;
    here = end ?? here + 1;
  }
  return false;
};
