import { spellInvisible } from "./invisible.ts";

/**
 * Spells a byte that is not UTF-8 as `[0xE9]`. If every line of a file ends with CR LF, the line `note` says so instead of each
 * `[U+000D]` (WG6). A file cannot imitate the note, because lines of a file never begin with a backslash in a diff.
 */
export const visibleDiff = (diff: string, note: string): string =>
  spelledBytes(
    diff.includes("\r\n") || diff.endsWith("\r") ? withoutEnds(diff, String.raw`\ ${note}`) : diff,
  );

/** First of the characters that represent bytes from 0x80 in a diff: private-use characters without a meaning in texts. */
export const FIRST_BYTE = 0x10_ff80;

/** Escapes text of the author that looks like a spelled byte. */
const spelledBytes = (text: string): string =>
  spellInvisible(text)
    .replaceAll(/\[(?=0x[89A-F][0-9A-F]\])/g, "[U+005B]")
    .replaceAll(/\[U\+10FF([89A-F][0-9A-F])\]/g, "[0x$1]");

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

const withoutEnds = (diff: string, note: string): string => {
  const lines = diff.split("\n");
  const shown: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = endOfHunks(lines, at);
    if (end === at) shown.push(lines[at++] ?? "");
    else {
      shown.push(...hunksShown(lines.slice(at, end), note));
      at = end;
    }
  }
  return shown.join("\n");
};

/** The line after the hunks that begin at `from`; `from` if there are none. */
const endOfHunks = (lines: readonly string[], from: number): number => {
  let at = from;
  for (;;) {
    const found = HUNK.exec(lines[at] ?? "");
    if (found === null) return at;
    let [before, after] = [Number(found[1] ?? 1), Number(found[2] ?? 1)];
    at += 1;
    for (; at < lines.length; at += 1) {
      const first = lines[at]?.[0];
      if (first === "\\") continue;
      if (before <= 0 && after <= 0) break;
      if (first !== "+") before -= 1;
      if (first !== "-") after -= 1;
    }
  }
};

const isContent = (line: string): boolean => /^[ +-]/.test(line);

/** `hunks`: of one file. */
const hunksShown = (hunks: readonly string[], note: string): readonly string[] => {
  const content = hunks.filter(isContent);
  const isLast = (at: number): boolean => hunks[at + 1]?.startsWith(String.raw`\ No newline`) ?? false;
  const isSame = hunks.every((line, at) => !isContent(line) || line.endsWith("\r") !== isLast(at));
  if (!isSame || !content.some((line) => line.endsWith("\r"))) return hunks;
  const [first = "", ...rest] = hunks.map((line) => (isContent(line) ? line.replace(/\r$/, "") : line));
  return [first, note, ...rest];
};
