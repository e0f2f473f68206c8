/**
 * Finds the end of a piece whose text does not fit: paragraph, then line, then sentence, then space, then any
 * character. Pure. The code unit at `over` is the first that does not fit. Decisions use no text after it,
 * because later text may not exist yet and must not change a finished piece (D22).
 */

import { clusterStart, isBoundary } from "../../src/text/grapheme.ts";
import type { BlockPosition } from "../../src/text/markdown/blocks.ts";
import { tickRuns } from "../../src/text/markdown/backticks.ts";

export interface CutPoint {
  readonly at: number;
  /** End of the visible text before the cut. */
  readonly end: number;
  readonly place: BlockPosition;
  /** `glued`: the text before belongs to the text after. `bare`: a fence was opened and is still empty. */
  readonly kind: "block" | "line" | "glued" | "bare";
  /** Share of the piece's room that would be used, 0 to 1. */
  readonly fill: number;
}

/** Null if the line itself must be cut. */
export const lineBreak = (
  text: string,
  start: number,
  over: number,
  breaks: readonly CutPoint[],
): CutPoint | null => {
  const full = breaks.filter(({ fill }) => fill >= 0.5);
  const block = full.findLast(({ kind }) => kind === "block");
  if (block !== undefined) return block;
  const loose = (kind: CutPoint["kind"]): boolean => kind === "block" || kind === "line";
  const last = breaks.findLast(({ kind }) => loose(kind));
  if (last === undefined) return breaks.findLast(({ kind }) => kind === "glued") ?? null;
  if (last.place.leaf.kind === "fence") return last;
  const from = breaks.findLast(({ kind }) => kind === "block")?.at ?? start;
  const spans = spansOf(text.slice(from, over + 1));
  return full.findLast(({ kind, at }) => loose(kind) && !spans.inside(at - from)) ?? last;
};

/** Returns a cut inside the line, after `first`, its first visible character. */
export const inLineCut = (text: string, first: number, over: number, inFence: boolean): number => {
  const seen = text.slice(first, over + 1);
  const spans = inFence ? NO_SPANS : spansOf(seen);
  const cuts = spaces(text, first, over);
  const last = (share: number, fits: (cut: SpaceCut) => boolean): number | undefined =>
    cuts.findLast(
      (cut) =>
        cut.at - first >= (over - first) * share &&
        fits(cut) &&
        isSafe(text, first, cut.at, over) &&
        (inFence || !opensBlock(text, cut.at, over)),
    )?.at;
  const isOutside = ({ at }: SpaceCut): boolean => !spans.inside(at - first);
  return (
    last(0.5, (cut) => cut.sentence && isOutside(cut)) ??
    last(0.25, isOutside) ??
    beforeSpan(text, first, over, spans) ??
    last(0, () => true) ??
    hardCut(text, first, over, inFence)
  );
};

interface SpaceCut {
  readonly at: number;
  readonly sentence: boolean;
}

const spaces = (text: string, first: number, over: number): readonly SpaceCut[] =>
  [...text.slice(first, over + 1).matchAll(SPACE)].flatMap((gap) => {
    const before = first + gap.index;
    const at = before + gap[0].length;
    if (at > over || gap.index === 0) return [];
    const ends = gap[0] === "" || SENTENCE.test(text.slice(Math.max(first, before - 4), before));
    return [{ at, sentence: ends }];
  });

/** Returns a cut before a mark that is still open. A cut through the mark would be worse. */
const beforeSpan = (text: string, first: number, over: number, { open }: Spans): number | undefined =>
  open !== null && open * 4 >= over - first && isSafe(text, first, first + open, over)
    ? first + open
    : undefined;

const hardCut = (text: string, first: number, over: number, inFence: boolean): number => {
  let cut = isHigh(text, over) ? clusterStart(text, first, over - 1) : clusterStart(text, first, over);
  const best = cut;
  let whole: number | null = null;
  for (let tries = 0; tries < 32 && cut > first; tries += 1) {
    if (isSafe(text, first, cut, Infinity)) {
      whole ??= cut;
      if (inFence ? !touchesFence(text, cut) : !opensBlock(text, cut, over)) return cut;
    }
    cut = clusterStart(text, first, cut - 1);
  }
  return whole ?? (best > first ? best : over);
};

/**
 * Whether a cut is outside of clusters, escapes and entities. A cut at `over` requires that the character at `over` is
 * complete.
 */
const isSafe = (text: string, first: number, at: number, over: number): boolean =>
  !(at === over && isHigh(text, over)) &&
  isBoundary(text, first, at) &&
  !isEscaped(text, first, at) &&
  !inEntity(text, first, at);

const isEscaped = (text: string, first: number, at: number): boolean => {
  let from = at;
  while (from > first && text[from - 1] === "\\") from -= 1;
  return (at - from) % 2 === 1;
};

const inEntity = (text: string, first: number, at: number): boolean =>
  /[#0-9a-z;]/i.test(text[at] ?? "") && /&[#0-9a-z]{0,31}$/i.test(text.slice(Math.max(first, at - 32), at));

/**
 * Whether the rest would be read as a list, a heading, a quote, a fence or a table at the start of a line.
 */
const opensBlock = (text: string, at: number, over: number): boolean =>
  /^(?:[-+*>#|=~`]|\d{1,9}[.)])/.test(text.slice(at, Math.min(at + 11, over + 1)));

const touchesFence = (text: string, at: number): boolean => /[`~]/.test(text.slice(at - 1, at + 1));

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

const SPACE = /\s+|(?<=[。！？])(?![。！？\s])/g;
const SENTENCE = /[.!?…。！？]["'”’»)\]*_]*$/;

interface Spans {
  /** Whether a cut at `at` would go through a mark or its content. */
  inside(at: number): boolean;
  /** Start of the outermost mark that the text does not close. */
  readonly open: number | null;
}

const NO_SPANS: Spans = { inside: () => false, open: null };

/**
 * Finds inline Markdown (code, links, emphasis) in the text of a paragraph. Open marks extend to the end of
 * the text. Pure and linear.
 */
const spansOf = (text: string): Spans => {
  const depth = new Int32Array(text.length + 2);
  const brackets: number[] = [];
  const marks = new Map<string, number>();
  const add = (from: number, to: number): void => {
    depth[from + 1] = (depth[from + 1] ?? 0) + 1;
    depth[to] = (depth[to] ?? 0) - 1;
  };
  const runs = tickRuns(text);
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at] ?? "") {
      case "\\":
        at += 1;
        break;
      case "`": {
        const run = runs.get(at)?.length ?? 1;
        const close = runs.get(at)?.close ?? -1;
        if (close === -1) open.push(at);
        else add(at, close);
        at = (close === -1 ? at + run : close) - 1;
        break;
      }
      case "<": {
        const end = angleEnd(text, at);
        if (end === null) break;
        if (end === text.length) open.push(at);
        else add(at, end);
        at = end - 1;
        break;
      }
      case "[":
        brackets.push(at);
        break;
      case "]": {
        const from = brackets.pop();
        if (from === undefined || text[at + 1] !== "(") break;
        const end = text.indexOf(")", at);
        if (end === -1) open.push(from);
        else add(from, end + 1);
        at = end === -1 ? text.length : end;
        break;
      }
      case "*":
      case "_":
      case "~":
      case "|":
        at = emphasis(text, at, marks, add) - 1;
        break;
    }
  }
  const last = brackets.at(-1);
  const opened = [...open, ...marks.values(), ...(last === undefined ? [] : [last])];
  for (const from of opened) add(from, text.length + 1);
  for (let at = 1; at < depth.length; at += 1) depth[at] = (depth[at] ?? 0) + (depth[at - 1] ?? 0);
  return { inside: (at) => (depth[at] ?? 0) > 0, open: opened.length === 0 ? null : Math.min(...opened) };
};

/**
 * Returns the index after the `>` of an autolink, mention or tag; the end of the text if that is cut; null
 * for a plain `<`.
 */
const angleEnd = (text: string, at: number): number | null => {
  ANGLE.lastIndex = at;
  const found = ANGLE.exec(text);
  if (found === null) return null;
  const end = at + found[0].length;
  return found[0].endsWith(">") || end === text.length ? end : null;
};

/** Records a run of emphasis marks as opening or closing; returns its end. */
const emphasis = (
  text: string,
  at: number,
  marks: Map<string, number>,
  add: (from: number, to: number) => void,
): number => {
  let end = at;
  while (text[end] === text[at] && end - at < 3) end += 1;
  const mark = text.slice(at, end);
  if ((mark[0] === "~" || mark[0] === "|") && mark.length !== 2) return end;
  const from = marks.get(mark);
  const before = text[at - 1] ?? " ";
  const after = text[end] ?? " ";
  const inWord = mark.startsWith("_") && isWord(before) && isWord(after);
  if (inWord) return end;
  if (from !== undefined && !/\s/.test(before)) {
    marks.delete(mark);
    add(from, end);
  } else if (from === undefined && !/\s/.test(after)) marks.set(mark, at);
  return end;
};

const isWord = (unit: string): boolean => /[\p{L}\p{N}]/u.test(unit);

const ANGLE = /<[a-z@!#/:][^\s<>]*>?/iy;
