const LENGTH = 80;

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
