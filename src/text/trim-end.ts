/** Trims in linear time, unlike a pattern such as `/x+$/`, which restarts at every `x`. */

export const withoutEnd = (text: string, units: string): string => {
  let end = text.length;
  while (end > 0 && units.includes(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
};

export const withoutBlankEnds = (text: string): string =>
  text
    .split("\n")
    .map((line) => withoutEnd(line, " \t"))
    .join("\n");
