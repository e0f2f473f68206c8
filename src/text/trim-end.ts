/** Taking off what a text ends with, in time linear in it: a pattern such as `/x+$/` begins anew at every `x`. Pure. */

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
