/** Lines of a pull request's diff, and whether a comment may stand on them. Pure. Forges refuse a comment on any other line. */

import type { PullFile } from "../ports/project.ts";

/** A row of a diff. `old` and `new`: numbers of the line before and after the change; null on the side without the line. */
export interface DiffRow {
  readonly old: number | null;
  readonly new: number | null;
  /** Next numbers of both sides at this row. GitLab identifies rows by them. */
  readonly next: { readonly old: number; readonly new: number };
  readonly text: string;
  /** Number of the hunk in its file. */
  readonly hunk: number;
}

export type DiffSide = "new" | "old";

export interface WantedLines {
  readonly path: string;
  readonly line: number;
  /** First of several lines that end at `line`. */
  readonly startLine?: number | undefined;
  readonly side: DiffSide;
}

export type DiffPlace =
  | { readonly kind: "placed"; readonly file: PullFile; readonly first: DiffRow; readonly last: DiffRow }
  | { readonly kind: "refused"; readonly why: string };

/** A line is accepted only if it is in a hunk on that side, and several lines only within one hunk. */
export const placeInDiff = (files: readonly PullFile[], wanted: WantedLines): DiffPlace => {
  const { path, line, startLine = line, side } = wanted;
  const file = files.find((one) => one.path === path);
  if (file === undefined) return refused(`The pull request does not change a file ${path}.`);
  if (file.patch === null)
    return refused(`The forge shows no diff of ${path}: it is binary, or its diff is too large.`);
  const rows = rowsOfPatch(file.patch);
  const last = rows.find((row) => row[side] === line);
  const first = rows.find((row) => row[side] === startLine);
  if (first === undefined || last === undefined || startLine > line || first.hunk !== last.hunk) {
    const lines = startLine === line ? `line ${line}` : `lines ${startLine} to ${line}`;
    return refused(
      `The diff of ${path} has no ${lines} in one hunk of its ${side} side, which has ${rangesText(rows, side)}.`,
    );
  }
  return { kind: "placed", file, first, last };
};

/** Reads no further than the counts of each hunk's head, so that no content can look like a head. */
export const rowsOfPatch = (patch: string): readonly DiffRow[] => {
  const rows: DiffRow[] = [];
  let at = { old: 0, new: 0 };
  let left = { old: 0, new: 0 };
  let hunk = 0;
  for (const line of patch.split("\n")) {
    const sign = line.charAt(0);
    if (sign === "\\") continue;
    const isOld = sign === "-" || sign === " ";
    const isNew = sign === "+" || sign === " ";
    const fits = (isOld || isNew) && (!isOld || left.old > 0) && (!isNew || left.new > 0);
    if (fits) {
      rows.push({
        old: isOld ? at.old : null,
        new: isNew ? at.new : null,
        next: at,
        text: line.slice(1),
        hunk,
      });
      at = { old: at.old + Number(isOld), new: at.new + Number(isNew) };
      left = { old: left.old - Number(isOld), new: left.new - Number(isNew) };
      continue;
    }
    const head = HEAD.exec(line);
    // Rows after anything unexpected have no known number.
    left = {
      old: Number(head?.[2] ?? (head === null ? 0 : 1)),
      new: Number(head?.[4] ?? (head === null ? 0 : 1)),
    };
    at = { old: Number(head?.[1] ?? 0), new: Number(head?.[3] ?? 0) };
    hunk += 1;
  }
  return rows;
};

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Maximum number of displayed ranges. */
const MAX_RANGES = 20;

/** Such as `3-9, 20-31`. */
const rangesText = (rows: readonly DiffRow[], side: DiffSide): string => {
  const ranges: { hunk: number; from: number; to: number }[] = [];
  for (const row of rows) {
    const line = row[side];
    if (line === null) continue;
    const open = ranges.at(-1);
    if (open !== undefined && open.hunk === row.hunk) open.to = line;
    else ranges.push({ hunk: row.hunk, from: line, to: line });
  }
  const shown = ranges
    .slice(0, MAX_RANGES)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more = ranges.length > MAX_RANGES ? " and more" : "";
  return shown.length === 0 ? "none" : `${shown.join(", ")}${more}`;
};

const refused = (why: string): DiffPlace & { kind: "refused" } => ({ kind: "refused", why });
