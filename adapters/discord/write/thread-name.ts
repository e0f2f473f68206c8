/** Names of threads. Pure. */

const MAX_NAME = 90;

/** The first line that says something, as a thread's name. */
export const nameOf = (content: string): string => {
  const lines = content.replaceAll(/<[@#:][^<>]*>/g, "").split("\n");
  const words =
    lines.map((line) => line.replaceAll(/[\s`*_~|>#]+/g, " ").trim()).find((line) => line !== "") ?? "";
  const points = Array.from(words);
  if (points.length === 0) return "Parley";
  return points.length <= MAX_NAME ? words : `${points.slice(0, MAX_NAME - 1).join("")}…`;
};
