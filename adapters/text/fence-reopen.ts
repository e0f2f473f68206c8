/** Text before and after a piece, so that the piece reads as a part of its text. Pure. */

import {
  advance,
  type BlockPosition,
  closesFence,
  type Fence,
  MAX_FENCE,
  markerRunAt,
  staysIn,
} from "../../src/text/markdown/blocks.ts";
import { type Container, frame, match } from "../../src/text/markdown/containers.ts";
import { type LengthLimit, measure } from "./measure.ts";

export interface PieceOpening {
  readonly text: string;
  /** Start position of the piece. It is simplified if the full opening would take half of the room. */
  readonly place: BlockPosition;
}

/** `known`: the start of the piece's first line. */
export const openingOf = (place: BlockPosition, known: string, limit: LengthLimit): PieceOpening => {
  for (const poorer of [place, withoutTable(place), { ...place, containers: [] }]) {
    const text = reopening(poorer, known);
    if (isAffordable(text, poorer, limit)) return { text, place: poorer };
  }
  return { text: "", place: { containers: [], leaf: { kind: "none" }, inLine: place.inLine } };
};

/** Returns the closing of a piece that ends after whole lines. */
export const closing = (place: BlockPosition, limit: LengthLimit): string =>
  place.leaf.kind === "fence" ? `\n${closer(place, place.leaf, limit)}` : "";

/**
 * Returns a function that maps `end` to the closing of a piece that ends `end` units into a line. If the line has started to
 * close the fence itself, only the rest is added.
 */
export const closingIn = (
  before: BlockPosition,
  line: string,
  limit: LengthLimit,
): ((end: number) => string) => {
  if (before.leaf.kind === "fence" && (before.inLine || staysIn(before, line))) {
    return inFence(before, before.leaf, line, limit);
  }
  return before.inLine ? () => "" : inOpener(before, line, limit);
};

const inFence = (
  place: BlockPosition,
  fence: Fence,
  line: string,
  limit: LengthLimit,
): ((end: number) => string) => {
  const last = closer(place, fence, limit);
  const run = markerRunAt(line, match(place.containers, line, true).at);
  const blanks = /^[ \t]*/.exec(line.slice(run.end))?.[0].length ?? 0;
  const closes = !place.inLine && run.mark === fence.mark && run.length >= fence.length;
  return (end) => {
    if (closes && end >= run.start + fence.length && end <= run.end + blanks) return "";
    const begun = !place.inLine && end <= last.length && last.startsWith(line.slice(0, end));
    return begun ? last.slice(end) : `\n${last}`;
  };
};

const inOpener = (before: BlockPosition, line: string, limit: LengthLimit): ((end: number) => string) => {
  const mark = line.search(/[`~]/);
  if (mark === -1 || !/^(.)\1\1/.test(line.slice(mark, mark + 3))) return () => "";
  const { end: runEnd } = markerRunAt(line, mark);
  const tick = line[mark] === "`" ? line.indexOf("`", runEnd) : -1;
  const byLength = new Map<number, string>();
  return (end) => {
    if (end < mark + 3 || (tick !== -1 && end > tick)) return "";
    const length = Math.min(end, runEnd);
    if (length - mark > MAX_FENCE) return "";
    const known = byLength.get(length) ?? closing(advance(before, line.slice(0, length)), limit);
    byLength.set(length, known);
    return known;
  };
};

/** Returns the line that closes a fence, without its frame if that would take a quarter of the room. */
const closer = (
  { containers }: BlockPosition,
  { mark, length }: Fence,
  { max, units }: LengthLimit,
): string => {
  const around = frame(containers);
  const run = mark.repeat(length);
  return measure(around, units) > max / 4 ? run : `${around}${run}`;
};

const reopening = (place: BlockPosition, known: string): string => {
  const { containers, leaf, inLine } = place;
  const around = frame(containers);
  if (leaf.kind === "fence" && (inLine || staysIn(place, known))) {
    const opener = `${around}${leaf.mark.repeat(leaf.length)}${leaf.language}\n`;
    return `${ancestors(containers, false)}${opener}${inLine ? around : ""}`;
  }
  if (inLine) return `${ancestors(containers, false)}${around}`;
  const next = advance(place, known);
  if (leaf.kind === "table" && next.leaf.kind === "table") {
    return `${ancestors(containers, true)}${around}${leaf.row}\n${around}${leaf.rule}\n`;
  }
  const other = next.containers.findIndex((container, index) => container !== containers[index]);
  const kept = other === -1 ? next.containers : next.containers.slice(0, other);
  const apart = standsApart(next, kept.length, known);
  return `${ancestors(kept, apart)}${missingQuotes(place, kept.length, known)}`;
};

/** Whether a line would be read as a part of the paragraph above. */
const standsApart = ({ containers, leaf }: BlockPosition, kept: number, known: string): boolean => {
  const opened = containers[kept];
  if (opened?.kind === "item") return !mayInterrupt(opened.marker) || /[-+*.)]\s*$/.test(known);
  return leaf.kind === "head" || leaf.kind === "none" || /^[\s>]*=+\s*$/.test(known);
};

/** A lazy line continues a quote without a mark; at the start of a piece the mark must be added. */
const missingQuotes = ({ containers }: BlockPosition, kept: number, known: string): string =>
  containers
    .slice(match(containers, known).matched, kept)
    .filter(({ kind }) => kind === "quote")
    .map(() => "> ")
    .join("");

const withoutTable = (place: BlockPosition): BlockPosition =>
  place.leaf.kind === "table" ? { ...place, leaf: { kind: "none" } } : place;

const isAffordable = (text: string, place: BlockPosition, limit: LengthLimit): boolean =>
  measure(text, limit.units) + measure(closing(place, limit), limit.units) <= limit.max / 2;

/** Whether the first line of a piece only ends a fence that the previous piece has already closed. */
export const onlyCloses = (
  place: BlockPosition,
  line: string,
  isLast: boolean,
  limit: LengthLimit,
): boolean =>
  place.leaf.kind === "fence" &&
  !place.inLine &&
  (closesFence(place, line) || (isLast && closer(place, place.leaf, limit).startsWith(line.trimEnd())));

/**
 * Returns one line for each surrounding list item: its own marker and an ellipsis, so that numbers and
 * nesting remain. `apart`: whether a blank line must follow, because the next text would join that line's
 * paragraph.
 */
const ancestors = (containers: readonly Container[], apart: boolean): string =>
  containers
    .map((container, index) => {
      if (container.kind === "quote") return "";
      const outer = frame(containers.slice(0, index));
      const next = containers.slice(index + 1).find(({ kind }) => kind === "item");
      const gap = next === undefined ? apart : next.kind === "item" && !mayInterrupt(next.marker);
      const inner = frame(containers.slice(0, index + 1)).trimEnd();
      return `${outer}${container.marker}…\n${gap ? `${inner}\n` : ""}`;
    })
    .join("");

/** Only a bullet or number one, with text after it, starts a list right below a paragraph. */
const mayInterrupt = (marker: string): boolean => /^\s*(?:[-+*]|1[.)])/.test(marker);
