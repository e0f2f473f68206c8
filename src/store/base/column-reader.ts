import type { Database } from "better-sqlite3";

type Pluck<Given extends readonly unknown[], Answer> = (...given: Given) => Answer;

export const createColumnReader = (db: Database) => ({
  /** Null if there is no row. */
  one: <Given extends readonly unknown[], Value>(sql: string): Pluck<Given, Value | null> => {
    const statement = db.prepare<unknown[], Value>(sql).pluck();
    return (...given) => statement.get(...given) ?? null;
  },

  all: <Given extends readonly unknown[], Value>(sql: string): Pluck<Given, readonly Value[]> => {
    const statement = db.prepare<unknown[], Value>(sql).pluck();
    return (...given) => statement.all(...given);
  },
});
