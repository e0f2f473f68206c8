/** One forward pass, except that text before a replacement is read again, because the replacement ends a word there. */

export interface Finder {
  readonly hints: readonly string[];
  /** With the flag `g`. */
  readonly pattern: RegExp;
  /** Offsets of the secret in a match; null if the match is no secret. */
  readonly part: (found: RegExpExecArray) => TextRange | null;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Offsets in the text. `from`: start of the match; `start`: start of the secret. */
interface Span extends TextRange {
  readonly from: number;
}

/** Longer than any form that later text can prevent from matching. */
const REACH = 512;

/** `fixed`: ranges that are always replaced, ascending. */
export const replaced = (
  text: string,
  finders: readonly Finder[],
  fixed: readonly TextRange[],
  mask: string,
): string => {
  const active = finders.filter(({ hints }) => hints.some((hint) => text.includes(hint)));
  if (active.length === 0 && fixed.length === 0) return text;
  const out: string[] = [];
  const nexts = active.map((finder) => find(finder, text, 0));
  let base = 0;
  let at = 0;
  for (;;) {
    while ((fixed[at]?.start ?? base) < base) at += 1;
    let first: TextRange | null = fixed[at] ?? null;
    for (const next of nexts) if (next !== null && (first === null || next.start < first.start)) first = next;
    if (first === null) break;
    out.push(ended(text.slice(base, first.start), active, mask), mask);
    base = first.end;
    const rest = text.slice(base);
    for (const [index, finder] of active.entries()) {
      const next = nexts[index] ?? null;
      const isGone = next !== null && next.from < base;
      const found = isGone ? find(finder, rest, 0) : beginning(finder, rest);
      if (found !== null || isGone) nexts[index] = found === null ? null : shifted(found, base);
    }
  }
  return out.length === 0 ? text : `${out.join("")}${text.slice(base)}`;
};

const shifted = ({ from, start, end }: Span, by: number): Span => ({
  from: from + by,
  start: start + by,
  end: end + by,
});

/** Only the replaced text prevented these forms from matching. */
const ended = (text: string, finders: readonly Finder[], mask: string): string => {
  const behind: string[] = [];
  let left = text;
  for (;;) {
    const from = Math.max(0, left.length - REACH);
    let last: Span | null = null;
    for (const finder of finders) {
      const found = find(finder, left, from);
      if (found !== null && (last === null || found.start < last.start)) last = found;
    }
    if (last === null) return `${left}${behind.toReversed().join("")}`;
    behind.push(replaced(left.slice(last.end), finders, [], mask), mask);
    left = left.slice(0, last.start);
  }
};

const find = ({ pattern, part }: Finder, text: string, from: number): Span | null => {
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const span = spanOf(found, part);
    if (span !== null) return span;
  }
  return null;
};

/** Matches at offset 0, because the replacement ends a word there. */
const beginning = ({ pattern, part }: Finder, text: string): Span | null => {
  let sticky = STICKY.get(pattern);
  if (sticky === undefined) {
    sticky = new RegExp(pattern.source, pattern.flags.replace("g", "y"));
    STICKY.set(pattern, sticky);
  }
  sticky.lastIndex = 0;
  const found = sticky.exec(text);
  return found === null ? null : spanOf(found, part);
};

const STICKY = new WeakMap<RegExp, RegExp>();

const spanOf = (found: RegExpExecArray, part: Finder["part"]): Span | null => {
  const goes = part(found);
  const from = found.index;
  return goes === null ? null : { from, start: from + goes.start, end: from + goes.end };
};
