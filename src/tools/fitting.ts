/** As many whole parts of an answer as there is room for, so that no quote is left open. Pure. */

/** `left`: what is said of the parts behind them. */
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
