/** Cuts the text to at most `most` UTF-16 code units, including the "…". No character is cut in two. */
export const clipText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** Cuts the text to at most `most` code points, including the "…". */
export const clipCodePoints = (text: string, most: number): string => {
  const points = Array.from(text);
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
};
