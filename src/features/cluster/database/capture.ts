import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { CaptureChanges } from "../../../store/write/batch.ts";
import { type CapturedRow, type Shape, shapesOf } from "./shapes.ts";

const noted = z.array(z.object({ tbl: z.string(), key: z.string() }));
const keyOf = z.array(z.union([z.string(), z.number()]));

/**
 * Returns every row that the open transaction changed, in its current state. Temporary triggers record the changes until the
 * connection closes.
 */
export const createCapture = (db: Database): CaptureChanges<CapturedRow> => {
  const shapes = shapesOf(db);
  db.exec("CREATE TEMP TABLE replica_changes (tbl TEXT NOT NULL, key TEXT NOT NULL)");
  db.exec(shapes.map(triggersOf).join(""));
  const bodies = new Map(
    shapes.map(({ table, key, columns }) => {
      const where = key.map((name) => `"${name}" = ?`).join(" AND ");
      const names = columns.map((name) => `"${name}"`).join(", ");
      return [table, db.prepare(`SELECT ${names} FROM "${table}" WHERE ${where}`)];
    }),
  );
  const select = db.prepare("SELECT DISTINCT tbl, key FROM temp.replica_changes");
  const clear = db.prepare("DELETE FROM temp.replica_changes");

  return () => {
    const found = noted.parse(select.all());
    clear.run();
    return found.map(({ tbl, key }) => {
      const values = keyOf.parse(JSON.parse(key));
      const row = bodies.get(tbl)?.get(...values);
      return {
        table: tbl,
        key: JSON.stringify(values),
        body: row === undefined ? null : JSON.stringify(row),
      };
    });
  };
};

/** An update that leaves every column unchanged is not recorded. */
const triggersOf = ({ table, key, columns }: Shape): string => {
  const note = (row: "old" | "new", when: string): string =>
    `INSERT INTO replica_changes SELECT '${table}', json_array(${key.map((name) => `${row}."${name}"`).join(", ")}) WHERE ${when};`;
  return `
CREATE TEMP TRIGGER replica_insert_${table} AFTER INSERT ON main."${table}" BEGIN ${note("new", "1")} END;
CREATE TEMP TRIGGER replica_update_${table} AFTER UPDATE ON main."${table}" WHEN ${differs(columns)} BEGIN ${note("new", "1")} ${note("old", differs(key))} END;
CREATE TEMP TRIGGER replica_delete_${table} AFTER DELETE ON main."${table}" BEGIN ${note("old", "1")} END;`;
};

const differs = (names: readonly string[]): string =>
  names.map((name) => `old."${name}" IS NOT new."${name}"`).join(" OR ");
