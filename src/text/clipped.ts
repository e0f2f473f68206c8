/** A text that is cut at its end. Pure. */

/** At most `most` UTF-16 code units, the "…" at a cut counted. No character is cut in two. */
export const clipText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
