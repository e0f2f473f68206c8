/** What of a set-up's own words people are shown: plain, bounded, and without secrets of known forms. Pure. */

import { maskSecrets } from "../../text/secrets/known-forms.ts";

/** Lines of a failure, and characters of one and of all. */
const MAX_LINES = 15;
const MAX_LINE = 160;
const MAX_ALL = 1_600;
/** Of the line that shows where it is. */
const MAX_NOW = 100;
/** Longest line kept while its end has not come. */
const MAX_PARTIAL = 4_000;

/** The last lines that say something: installers end with where their own log is, and tell what went wrong before. */
export const lastLines = (output: string): readonly string[] => {
  const lines = plainLines(output).map((line) => line.slice(0, MAX_LINE));
  const kept: string[] = [];
  let size = 0;
  for (const line of lines.slice(-MAX_LINES).toReversed()) {
    size += line.length;
    if (size > MAX_ALL) break;
    kept.unshift(line);
  }
  return kept;
};

/** The last whole line of what is being written. */
export const createLastLine = (): ((chunk: Buffer) => string) => {
  let partial = "";
  let last = "";
  return (chunk) => {
    const lines = (partial + chunk.toString("latin1")).split(/[\r\n]/);
    partial = (lines.pop() ?? "").slice(-MAX_PARTIAL);
    last = plainLines(lines.join("\n")).at(-1)?.slice(0, MAX_NOW) ?? last;
    return last;
  };
};

const plainLines = (text: string): readonly string[] =>
  maskSecrets(
    text
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
      // Whoever comes with a name alone may come with a token.
      .replaceAll(/\/\/[^/@\s]*@/g, "//"),
  )
    .split(/[\r\n]/)
    .map(printable)
    .filter((line) => line !== "");

export const printable = (text: string): string =>
  text
    .replaceAll("\t", " ")
    .replaceAll(/[^\x20-\x7e‹›]/g, "?")
    .trim();
