/** Reads `.env`, corrects lines that Node's parser misreads, and reports problems of the file. */

import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

interface EnvFile {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Null if the file is valid or missing. */
  readonly problem: string | null;
}

export const readEnvFile = (path: string): EnvFile => {
  if (!existsSync(path)) return { values: {}, problem: null };
  try {
    const { values, ambiguous } = parseEnvText(readFileSync(path, "utf8"));
    const problem = ambiguous === null ? null : `${path}, line ${ambiguous}: ${AMBIGUOUS}`;
    return { values, problem };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      values: {},
      problem: `${path} cannot be read: ${why}. Run this command as the user that runs Parley`,
    };
  }
};

/** `ambiguous`: the first line that Node and systemd read differently; null if there is none. */
export const parseEnvText = (
  written: string,
): { readonly values: EnvFile["values"]; readonly ambiguous: number | null } => {
  const text = tidy(written);
  return { values: parseEnv(text), ambiguous: ambiguousLine(text) };
};

/** Removes a byte order mark, and blanks of an empty value, after which Node would read the next line as the value. */
const tidy = (text: string): string =>
  text.replace(/^\uFEFF/, "").replaceAll(/^([^#=\r\n]+=)[ \t]+(?=\r?$|#)/gm, "$1");

const AMBIGUOUS =
  "a # in an unquoted value starts a comment here but belongs to the value for systemd. Put the value in single quotes, or the comment on a separate line";

/** Null if systemd and Node read every line alike. */
const ambiguousLine = (text: string): number | null => {
  const lines = text.split(/\r\n?|\n/);
  let quote: string | null = null;
  for (const [index, line] of lines.entries()) {
    let rest = line;
    if (quote === null) {
      const [, value] = /^\s*(?:export\s+)?[\w.-]+\s*=[ \t]*(.*)$/.exec(line) ?? [];
      if (value === undefined) continue;
      const [first = ""] = value;
      if (!QUOTES.includes(first)) {
        if (value.indexOf("#") > 0) return index + 1;
        continue;
      }
      quote = first;
      rest = value.slice(1);
    }
    const end = rest.indexOf(quote);
    if (end < 0) continue;
    quote = null;
    if (rest.includes("#", end)) return index + 1;
  }
  return null;
};

const QUOTES = `"'\``;
