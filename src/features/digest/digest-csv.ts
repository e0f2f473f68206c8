/** A digest for spreadsheets: one line a figure, topic, question or file. Pure. */

import type { Digest } from "./digest.ts";

const HEAD = ["week", "kind", "what", "count", "detail"];

export const digestCsv = (digest: Digest): string => {
  const { week, counts, spent, spentEach, topics, disliked, unanswered, stale, cited } = digest;
  const rows: readonly (readonly [kind: string, what: string, count: number | "", detail: string])[] = [
    ...Object.entries(counts).map(([what, count]) => ["figure", what, count, ""] as const),
    ["figure", "spent in dollars", spent / 1_000_000, ""],
    ["figure", "dollars for each solved question", spentEach === null ? "" : spentEach / 1_000_000, ""],
    ...topics.map(
      ({ name, questions, codeOnly }) => ["topic", name, questions, `${codeOnly} from code alone`] as const,
    ),
    ...unanswered.map((question) => ["without an answer", question, "", ""] as const),
    ...disliked.map(
      ({ question, reasons }) => ["thumb down", question ?? "", "", reasons.join("; ")] as const,
    ),
    ...stale.map((question) => ["gone stale", question, "", ""] as const),
    ...cited.map(({ what, times }) => ["cited", what, times, ""] as const),
  ];
  return [HEAD, ...rows.map((row) => [week, ...row])].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
};

/**
 * Text that a spreadsheet would take for a formula has an apostrophe in front. Spreadsheets of many countries split at
 * semicolons too, and some at tabs, so the start of each such part counts as the start of a cell.
 */
const cell = (value: string | number): string => {
  const text = String(value);
  const plain = typeof value === "string" && FORMULA.test(text) ? `'${text.replaceAll(PART, "$1'")}` : text;
  return /[";,\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

const FORMULA = /(?:^|[;\t\r\n"])\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** Where a cell begins inside of a text. */
const PART = /([;\t\r\n"]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
