/** Words of people and of tools inside a command line. */

/** One word for the shell, whatever it holds. */
export const quoteForShell = (word: string): string =>
  `'${word.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

/** A path that no program takes for an option. */
export const quotedPath = (path: string): string => quoteForShell(/^[./]/.test(path) ? path : `./${path}`);

/** Plain text inside an extended regular expression. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
