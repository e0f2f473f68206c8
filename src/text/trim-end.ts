/** Removes characters from the end of a text in linear time. A pattern such as `/x+$/` restarts at every `x`. Pure. */

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
