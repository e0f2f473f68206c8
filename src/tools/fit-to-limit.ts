/** Joins whole parts only, so that no quote is left open. */

/** `left`: text that replaces the parts that do not fit. */
export const fitToLimit = (
  parts: readonly string[],
  { most, between }: { readonly most: number; readonly between: string },
  left: (count: number) => string,
): string => {
  let size = 0;
  const end = parts.findIndex((part) => {
    size += part.length + between.length;
    return size > most;
  });
  return (end === -1 ? parts : [...parts.slice(0, end), left(parts.length - end)]).join(between);
};
