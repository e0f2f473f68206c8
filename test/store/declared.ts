/** Compares the declarations of tables with a database. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Columns, Tables } from "../../src/ports/tables.ts";

const columnRow = z.object({ table: z.string(), column: z.string() });

/** Tables that SQLite makes for the search hold what `search` holds. */
const columnsOf = (db: Database): readonly string[] =>
  z
    .array(columnRow)
    .parse(
      db
        .prepare(`
          SELECT list.name AS "table", info.name AS "column"
          FROM pragma_table_list AS list JOIN pragma_table_info(list.name) AS info
          WHERE list.schema = 'main' AND list.type IN ('table', 'virtual') AND list.name NOT LIKE 'sqlite_%'`)
        .all(),
    )
    .map(({ table, column }) => `${table}.${column}`);

const listsOf = ({ person = [], conversation = [], both = [], kept = {} }: Columns) => [
  ...person,
  ...conversation,
  ...both,
  ...Object.values(kept).flat(),
];

type Declared = Pick<Tables, "tables">;

const declared = (groups: readonly Declared[]): readonly string[] =>
  groups.flatMap(({ tables }) =>
    Object.entries(tables).flatMap(([table, columns]) =>
      listsOf(columns).map((column) => `${table}.${column}`),
    ),
  );

/** Each is what an author has forgotten. */
export const problemsOf = (db: Database, groups: readonly Declared[]): readonly string[] => {
  const stored = columnsOf(db);
  const named = declared(groups);
  return [
    ...stored.filter((one) => !named.includes(one)).map((one) => `${one} is not declared`),
    ...named.filter((one) => !stored.includes(one)).map((one) => `${one} does not exist`),
    ...named.filter((one, at) => named.indexOf(one) !== at).map((one) => `${one} is declared twice`),
  ];
};
