/** Builds a table by program name; the key of a row lists one or several names. */
export const tableOf = <R>(rows: Readonly<Record<string, R>>): ReadonlyMap<string, R> =>
  new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row])));
