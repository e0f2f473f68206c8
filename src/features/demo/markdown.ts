/** Embeds foreign text in Markdown so that it always stays code. */

/** A code span of one line, at most `limit` characters. */
export const inlineCode = (text: string, limit = 160): string => {
  const line = shortenForDemo(text.replaceAll(/\s+/g, " ").trim(), limit);
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
};

export const fenced = (text: string, language = ""): string => {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
};

export const shortenForDemo = (text: string, limit: number): string => {
  const points = Array.from(text.slice(0, limit * 2));
  return points.length <= limit && text.length <= limit * 2
    ? text
    : `${points.slice(0, limit - 1).join("")}…`;
};

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
