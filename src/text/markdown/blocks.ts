/**
 * A partial line counts as if the text ended there, which keeps splits stable (D22). Unlike in CommonMark, a fence inside a
 * list item lasts until it is closed, however models indent its lines.
 */

import { type Container, isRule, match, opening } from "./containers.ts";

export interface Fence {
  readonly kind: "fence";
  readonly mark: "`" | "~";
  readonly length: number;
  readonly language: string;
}

type Leaf =
  | { readonly kind: "none" | "paragraph" | "heading" }
  | Fence
  /** A line that is a table's header row if a delimiter row follows. */
  | { readonly kind: "head"; readonly row: string }
  /** `bare`: no row has been seen yet. */
  | { readonly kind: "table"; readonly row: string; readonly rule: string; readonly bare: boolean };

export interface BlockPosition {
  readonly containers: readonly Container[];
  readonly leaf: Leaf;
  /** True after a cut inside a line: the rest continues the leaf and opens no block. */
  readonly inLine: boolean;
}

export const BLOCK_START: BlockPosition = { containers: [], leaf: { kind: "none" }, inLine: false };

/** Longer runs of fence characters are text, which limits the cost of closing and reopening. */
export const MAX_FENCE = 16;
const MAX_LANGUAGE = 32;

export const advance = (place: BlockPosition, line: string): BlockPosition => {
  if (place.inLine) return { ...place, inLine: false };
  if (isPlain(place, line)) return place.leaf.kind === "paragraph" ? place : PLAIN;
  if (place.leaf.kind === "fence" && staysIn(place, line)) {
    return closesFence(place, line) ? { ...place, leaf: NONE } : place;
  }
  return openLine(place.leaf.kind === "fence" ? { ...place, leaf: NONE } : place, line);
};

export const closesFence = (place: BlockPosition, line: string): boolean => {
  if (place.leaf.kind !== "fence" || !staysIn(place, line)) return false;
  const { mark, length } = place.leaf;
  const found = markerRunAt(line, match(place.containers, line, true).at);
  return found.mark === mark && found.length >= length && line.slice(found.end).trim() === "";
};

/** A fence ends with its block quote. */
export const staysIn = (place: BlockPosition, line: string): boolean =>
  match(place.containers, line, true).matched === place.containers.length;

export const markerRunAt = (
  line: string,
  from: number,
): { readonly mark: string; readonly start: number; readonly length: number; readonly end: number } => {
  let start = from;
  while (line[start] === " " || line[start] === "\t") start += 1;
  const mark = line[start] ?? "";
  let end = start;
  if (mark === "`" || mark === "~") while (line[end] === mark) end += 1;
  return { mark, start, length: end - start, end };
};

const fenceOf = (line: string, at: number): Fence | null => {
  const { mark, length, end } = markerRunAt(line, at);
  if ((mark !== "`" && mark !== "~") || length < 3 || length > MAX_FENCE) return null;
  const info = line.slice(end).trim();
  if (mark === "`" && info.includes("`")) return null;
  const language = info.split(/\s/, 1)[0] ?? "";
  return { kind: "fence", mark, length, language: language.length > MAX_LANGUAGE ? "" : language };
};

const NONE = { kind: "none" } as const;
const PARAGRAPH = { kind: "paragraph" } as const;
const PLAIN: BlockPosition = { containers: [], leaf: PARAGRAPH, inLine: false };

const openLine = (place: BlockPosition, line: string): BlockPosition => {
  const { matched, at } = match(place.containers, line);
  const whole = matched === place.containers.length;
  const open = place.leaf.kind === "paragraph" || place.leaf.kind === "head";
  const { opened, at: from } = opening(line, at, matched, whole && open);
  const rest = line.slice(from);
  const kept = whole ? place.containers : place.containers.slice(0, matched);
  const containers = opened.length === 0 ? kept : [...kept, ...opened];
  const leaf = leafOf(line, from, rest, whole && opened.length === 0 ? place.leaf : NONE);
  const lazy = !whole && opened.length === 0 && open && leaf.kind === "paragraph";
  return { containers: lazy ? place.containers : containers, leaf, inLine: false };
};

const leafOf = (line: string, at: number, rest: string, before: Leaf): Leaf => {
  const text = rest.trim();
  if (text === "") return NONE;
  const fence = fenceOf(line, at);
  if (fence !== null) return fence;
  if (/^#{1,6}(?:\s|$)/.test(text)) return { kind: "heading" };
  if (isRule(line, at)) return NONE;
  if (before.kind === "head" && isDelimiter(text)) {
    return { kind: "table", row: before.row, rule: text, bare: true };
  }
  if (before.kind === "table" && isRow(before.row, text))
    return before.bare ? { ...before, bare: false } : before;
  return text.includes("|") ? { kind: "head", row: text } : PARAGRAPH;
};

const isDelimiter = (text: string): boolean =>
  /^[|:\-\s]+$/.test(text) && text.includes("-") && text.includes("|");

/** Rows begin with a bar if the header begins with a bar. */
const isRow = (header: string, text: string): boolean =>
  header.startsWith("|") ? text.startsWith("|") : text.includes("|");

const isPlain = ({ containers, leaf }: BlockPosition, line: string): boolean => {
  const code = line.charCodeAt(0) | 0x20;
  return (
    containers.length === 0 &&
    (leaf.kind === "none" || leaf.kind === "paragraph" || leaf.kind === "heading") &&
    code >= 0x61 &&
    code <= 0x7a &&
    !line.includes("|")
  );
};
