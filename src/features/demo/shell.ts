/** Quotes text of people and tools for a command line. */

/** One shell word, for any text. */
export const quoteForShell = (word: string): string =>
  `'${word.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

/** A path that no program treats as an option. */
export const quotedPath = (path: string): string => quoteForShell(/^[./]/.test(path) ? path : `./${path}`);

/** Plain text inside an extended regular expression. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
