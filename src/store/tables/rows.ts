/** Rows of features: their reads and changes, as their code writes them in SQL. */

import type { Database } from "better-sqlite3";
import type { RowChange, Rows } from "../../ports/rows.ts";
import { type Direct, doing } from "../base/write.ts";

export const createRows = (db: Database): Direct<Rows> => ({
  select: (sql) => {
    const statement = db.prepare(sql);
    return (values) => statement.all(values);
  },
  write: doing((changes: readonly RowChange[]) => {
    for (const { sql, values } of changes) db.prepare(sql).run(values);
  }),
});
