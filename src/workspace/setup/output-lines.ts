import { maskSecrets } from "../../text/secrets/known-forms.ts";

/** Limits of a failure: lines, characters of one line, characters of all lines. */
const MAX_LINES = 15;
const MAX_LINE = 160;
const MAX_ALL = 1_600;
const MAX_NOW = 100;
const MAX_PARTIAL = 4_000;

/** The last non-empty lines: installers end with the path of their log, after the lines with the error. */
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
      // An address with a user name may contain a token.
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
