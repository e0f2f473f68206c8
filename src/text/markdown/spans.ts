/** Where inline Markdown (code, links, emphasis) begins and ends in the text of a paragraph. Pure and linear. */

import { tickRuns } from "./backticks.ts";

export interface Spans {
  /** Whether a cut at `at` would go through a mark or what it marks. */
  inside(at: number): boolean;
  /** Where the outermost mark that the text does not close begins. */
  readonly open: number | null;
}

export const NO_SPANS: Spans = { inside: () => false, open: null };

/** Marks that the text leaves open count up to its end. */
export const spansOf = (text: string): Spans => {
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

/** Behind the `>` of an autolink, mention or tag; the end of the text where it is cut; null for a mere `<`. */
const angleEnd = (text: string, at: number): number | null => {
  ANGLE.lastIndex = at;
  const found = ANGLE.exec(text);
  if (found === null) return null;
  const end = at + found[0].length;
  return found[0].endsWith(">") || end === text.length ? end : null;
};

/** Notes a run of emphasis marks as opening or closing; answers where it ends. */
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
