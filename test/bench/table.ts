/** Figures as a table for people. Pure. */

import type { Beside, Figure, Measured, Summary, Target } from "./figure.ts";

export interface Outcome {
  readonly name: string;
  /** What was measured, in one line, and how long it took. */
  readonly what: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

const HEAD = ["bench", "what", "n", "median", "p5 – p95", "p99", "target", ""] as const;
/** Columns that hold numbers. */
const RIGHT: ReadonlySet<number> = new Set([2, 3, 4, 5]);

export const renderTable = (outcomes: readonly Outcome[]): string => {
  const rows = [HEAD, ...outcomes.flatMap(({ name, figures }) => figures.map((figure) => row(name, figure)))];
  return alignRows(rows, RIGHT);
};

/** `right`: columns that hold numbers. */
export const alignRows = (rows: readonly (readonly string[])[], right: ReadonlySet<number>): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return right.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
};

const row = (name: string, figure: Figure): readonly string[] =>
  figure.kind === "skipped"
    ? [name, figure.what, "", "", "", "", "", `skipped: ${figure.why}`]
    : [
        name,
        figure.what,
        String(figure.samples),
        quantity(figure.median, figure),
        spread(figure),
        hasTail(figure) ? quantity(figure.p99, figure) : "",
        figure.target === null ? "" : targetText(figure.target, figure),
        [verdict(figure), ...figure.beside.map((one) => besideText(one, figure))].join("  ").trim(),
      ];

const besideText = (one: Beside, figure: Measured): string =>
  one.kind === "skipped"
    ? `${one.who}: ${one.why}`
    : `${one.who}: ${quantity(one.median, figure)}${one.ratio === null ? "" : ` (ours ${short(one.ratio.median)} of it)`}`;

/** Of fewer samples the 99th percentile is only their largest. */
const hasTail = ({ samples, target }: Measured): boolean => samples >= 100 || target?.of === "p99";

const verdict = ({ ok }: Measured): string => (ok === null ? "" : ok ? "ok" : "OVER");

export const targetText = ({ of, is, value, than }: Target, figure: Measured): string =>
  `${of === "median" ? "" : `${of} `}${is === "at most" ? "≤" : "≥"} ${
    than === undefined ? quantity(value, figure) : `${short(value)} of ${than}`
  }`;

export const quantity = (value: number, { unit }: Pick<Measured, "unit">): string =>
  `${short(value)} ${unit}`.trim();

export const spread = ({ p5, p95 }: Pick<Summary, "p5" | "p95">): string => `${short(p5)} – ${short(p95)}`;

/** Three digits that count; whole numbers from a hundred on. */
export const short = (value: number): string => {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
};
