import type { Database } from "better-sqlite3";
import * as z from "zod";

/** Tables that hosts do not share: the search index, which each host builds from its rows, and the position of the replica. */
export const LOCAL = ["replica", "search_reached", "searched", "unsearched"] as const;

export interface Shape {
  readonly table: string;
  readonly key: readonly string[];
  /** Includes `rowid` if the table keeps rows in the order of insertion and no column stores that order. */
  readonly columns: readonly string[];
}

export interface CapturedRow {
  readonly table: string;
  /** JSON array. */
  readonly key: string;
  /** JSON object; null if the row was deleted. */
  readonly body: string | null;
}

export interface RemoteRow extends Pick<CapturedRow, "table"> {
  readonly key: readonly (string | number | null)[];
  /** Values by column; null if the row was deleted. */
  readonly row: Readonly<Record<string, unknown>> | null;
}

const columnRow = z.object({
  table: z.string(),
  isKeyed: z.literal([0, 1]),
  name: z.string(),
  type: z.string(),
  pk: z.number(),
});
type Column = z.output<typeof columnRow>;

/** Describes all tables of Parley, which are strict; SQLite's internal tables are not. */
export const shapesOf = (db: Database): readonly Shape[] => {
  const select = db.prepare(`
    SELECT list.name AS "table", list.wr AS isKeyed, info.name, info.type, info.pk
    FROM pragma_table_list AS list JOIN pragma_table_info(list.name) AS info
    WHERE list.schema = 'main' AND list.strict AND list.name NOT IN (${LOCAL.map((table) => `'${table}'`).join(", ")})
    ORDER BY list.name, info.cid`);
  const columns = Map.groupBy(z.array(columnRow).parse(select.all()), ({ table }) => table);
  return Array.from(columns, ([table, found]) => shapeOf(table, found));
};

export const sharedIn = (db: Database): readonly string[] => shapesOf(db).map(({ table }) => table);

const shapeOf = (table: string, columns: readonly Column[]): Shape => {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const [first] = key;
  const isWhole = first?.isKeyed === 1 || (key.length === 1 && first?.type === "INTEGER");
  return {
    table,
    key: key.map(({ name }) => name),
    columns: [...(isWhole ? [] : ["rowid"]), ...columns.map(({ name }) => name)],
  };
};
