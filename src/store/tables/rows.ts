/** Rows of features: reads and changes with the features' SQL. */

import type { Database } from "better-sqlite3";
import type { RowChange, Rows } from "../../ports/rows.ts";
import { type DirectPort, doing } from "../base/write.ts";

export const createRows = (db: Database): DirectPort<Rows> => {
  const change = (changes: readonly RowChange[]): void => {
    for (const { sql, values } of changes) db.prepare(sql).run(values);
  };
  return {
    select: (sql) => {
      const statement = db.prepare(sql);
      return (values) => statement.all(values);
    },
    write: doing(change),
    writeLocal: doing(change),
  };
};
