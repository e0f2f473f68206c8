/** Statements that answer with the first column of their rows alone. */

import type { Database } from "better-sqlite3";

interface Plucked<Given extends unknown[], Value> {
  get(...given: Given): Value | undefined;
  all(...given: Given): Value[];
}

export const createPluck =
  (db: Database) =>
  <Given extends unknown[] = unknown[], Value = unknown>(sql: string): Plucked<Given, Value> =>
    db.prepare<unknown[], Value>(sql).pluck();
