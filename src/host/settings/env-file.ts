/** `.env` as people write it, with what Node's own parser takes amiss put right, and what keeps it from being read. */

import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

interface EnvFile {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Why it could not be read; null where it was, or is not there. */
  readonly problem: string | null;
}

export const readEnvFile = (path: string): EnvFile => {
  if (!existsSync(path)) return { values: {}, problem: null };
  try {
    return { values: parseEnv(tidy(readFileSync(path, "utf8"))), problem: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      values: {},
      problem: `${path} cannot be read: ${why}. Run this as the user that Parley runs as`,
    };
  }
};

/**
 * The mark that some editors begin a file with would be part of the first name. After a name with nothing but blanks or a
 * comment behind it Node takes the next line for the value, whatever setting that is.
 */
const tidy = (text: string): string =>
  text.replace(/^\uFEFF/, "").replaceAll(/^([^#=\r\n]+=)[ \t]+(?=\r?$|#)/gm, "$1");
