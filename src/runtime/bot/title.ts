/** Titles of conversations: one short line. */

const LENGTH = 80;

/** Builds the title from the first message, if no person chose one. */
export const titleOf = (text: string): string =>
  cut(
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "Picture",
  );

export const cleanTitle = (title: string): string => cut(title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());

const cut = (line: string): string => {
  const points = Array.from(line);
  return points.length <= LENGTH ? line : `${points.slice(0, LENGTH - 1).join("")}…`;
};
