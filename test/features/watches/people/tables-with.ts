/** Where the database holds a text. */

import * as z from "zod";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";

/** Tables with the text in any cell. */
export const tablesWith = ({ rows }: Pick<StorePorts, "rows">, text: string): readonly string[] => {
  const names = z
    .array(z.object({ name: z.string() }))
    .parse(
      rows.select(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')",
      )({}),
    );
  return names
    .map(({ name }) => name)
    .filter((name) =>
      rows
        .select(`SELECT * FROM "${name}"`)({})
        .some((row) => JSON.stringify(row).includes(text)),
    );
};
