/** How the host's own lines begin. Pure. */

/**
 * Each line that a surface writes in the host's name begins with one of these. Model text holds none of them outside
 * of fenced code (`neutralise`), so no line of it, wherever a message is split, looks like the host's.
 */
export const hostMarks = {
  notice: "◇",
  warning: "◆",
  question: "◈",
  status: "◌",
  footer: "◎",
} as const;

export const withoutHostMarks = (text: string): string => text.replaceAll(MARKS, "•");

const MARKS = new RegExp(`[${Object.values(hostMarks).join("")}]`, "gu");
