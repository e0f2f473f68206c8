/** Tries an exact match, one change of indentation, then without the first or last line, which models misquote (PATCH-005). */
import { occurrences } from "../../text/occurrences.ts";

type PatchMatch =
  | {
      readonly kind: "found";
      readonly start: number;
      readonly end: number;
      readonly newText: string;
      /** False if the text at the place differs from `oldText`. */
      readonly exact: boolean;
    }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "none" };

/** Most comparisons of each line for a dedented match: bounds the time if candidates overlap. */
const MAX_LOOKS = 4;

export type FindMatch = (oldText: string, newText: string) => PatchMatch;

export const createFindMatch = (text: string): FindMatch => {
  let bare: BareLines | null = null;
  return (oldText, newText) => {
    const exact = only(occurrences(text, oldText, Number.POSITIVE_INFINITY), oldText, newText);
    if (exact.kind !== "none") return exact;
    bare ??= bareLines(text);
    const dedented = matchDedented(text, bare, oldText, newText);
    return dedented.kind === "none" ? matchTrimmed(text, oldText, newText) : dedented;
  };
};

interface BareLines {
  readonly lines: readonly string[];
  readonly text: string;
}

const bareLines = (text: string): BareLines => {
  const lines = text.split("\n");
  return { lines, text: `\n${lines.map(withoutIndent).join("\n")}\n` };
};

const only = (starts: readonly number[], oldText: string, newText: string): PatchMatch => {
  const [start] = starts;
  if (start === undefined) return { kind: "none" };
  if (starts.length > 1) return { kind: "several", count: starts.length };
  return { kind: "found", start, end: start + oldText.length, newText, exact: true };
};

const matchDedented = (text: string, bare: BareLines, oldText: string, newText: string): PatchMatch => {
  const closed = oldText.endsWith("\n");
  const wanted = (closed ? oldText.slice(0, -1) : oldText).split("\n");
  if (wanted.every(isBlank)) return { kind: "none" };
  const found = alignedWindows(bare, wanted);
  const [window] = found;
  if (window === undefined) return { kind: "none" };
  if (found.length > 1) return { kind: "several", count: found.length };
  const end = window.end + (closed ? 1 : 0);
  const shifted = shift(newText, window.from, window.to);
  if (end > text.length || shifted === null) return { kind: "none" };
  return { kind: "found", start: window.start, end, newText: shifted, exact: false };
};

interface Window {
  readonly start: number;
  readonly end: number;
  /** Indentation of the wanted lines, and the file's. */
  readonly from: string;
  readonly to: string;
}

/** Runs of lines in the file that equal the wanted ones except for one change of indentation. */
const alignedWindows = ({ lines, text }: BareLines, wanted: readonly string[]): readonly Window[] => {
  const most = Math.ceil((MAX_LOOKS * lines.length) / wanted.length) + 1;
  const candidates = occurrences(text, `\n${wanted.map(withoutIndent).join("\n")}\n`, most);
  const windows: Window[] = [];
  let line = 0;
  let start = 0;
  let bareStart = 0;
  for (const candidate of candidates) {
    for (; bareStart < candidate; line += 1) {
      start += (lines[line] ?? "").length + 1;
      bareStart += withoutIndent(lines[line] ?? "").length + 1;
    }
    const window = lines.slice(line, line + wanted.length);
    const change = indentChange(wanted, window);
    if (change !== null) windows.push({ start, end: start + window.join("\n").length, ...change });
  }
  return windows;
};

/** The one change that turns the indentation of every wanted line into the file's; null if there is none. */
const indentChange = (
  wanted: readonly string[],
  window: readonly string[],
): { readonly from: string; readonly to: string } | null => {
  const from = commonIndent(wanted);
  const to = commonIndent(window);
  const same = wanted.every(
    (line, index) => isBlank(line) || line.slice(from.length) === (window[index] ?? "").slice(to.length),
  );
  return same ? { from, to } : null;
};

const commonIndent = (lines: readonly string[]): string => {
  let common: string | null = null;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = line.slice(0, line.length - withoutIndent(line).length);
    if (common === null) common = indent;
    while (!indent.startsWith(common)) common = common.slice(0, -1);
  }
  return common ?? "";
};

/** Null if a line of the new text lacks the indentation that should change. */
const shift = (newText: string, from: string, to: string): string | null => {
  const lines = newText.split("\n");
  if (!lines.every((line) => isBlank(line) || line.startsWith(from))) return null;
  return lines.map((line) => (isBlank(line) ? line : to + line.slice(from.length))).join("\n");
};

const matchTrimmed = (text: string, oldText: string, newText: string): PatchMatch => {
  const withoutFirst = trimFirst(oldText, newText);
  const first = withoutFirst === null ? null : matchOnce(text, withoutFirst);
  if (first !== null && (first.start === 0 || text[first.start - 1] === "\n")) return first;
  const withoutLast = trimLast(oldText, newText);
  const last = withoutLast === null ? null : matchOnce(text, withoutLast);
  return last !== null && (last.end === text.length || text[last.end] === "\n") ? last : { kind: "none" };
};

interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

const trimFirst = (oldText: string, newText: string): Pair | null => {
  const end = oldText.indexOf("\n") + 1;
  if (end === 0 || newText.slice(0, end) !== oldText.slice(0, end)) return null;
  return { oldText: oldText.slice(end), newText: newText.slice(end) };
};

/** A line feed at the very end belongs to the last line and is removed with it. */
const trimLast = (oldText: string, newText: string): Pair | null => {
  const start = oldText.lastIndexOf("\n", oldText.length - 2);
  const line = oldText.slice(start);
  if (start === -1 || !newText.endsWith(line)) return null;
  return { oldText: oldText.slice(0, start), newText: newText.slice(0, newText.length - line.length) };
};

const matchOnce = (text: string, { oldText, newText }: Pair): (PatchMatch & { kind: "found" }) | null => {
  const match = isBlank(oldText) ? null : only(occurrences(text, oldText, 2), oldText, newText);
  return match?.kind === "found" ? { ...match, exact: false } : null;
};

const isBlank = (text: string): boolean => text.trim() === "";

const withoutIndent = (line: string): string => line.trimStart();
