/** What is asked of SQLite on this thread: statements, and the rows that they answer with. */

import Database from "better-sqlite3";
import { onTestFinished, vi } from "vitest";

export interface Counted {
  statements: number;
  rows: number;
  /** The statement that was asked for most. */
  readonly most: Map<string, number>;
}

export interface Counting {
  /** What was asked since the last time. */
  take(): Counted;
}

const nothing = (): Counted => ({ statements: 0, rows: 0, most: new Map() });

/** From here to the end of the test. */
export const countStatements = (): Counting => {
  const prepare = Database.prototype.prepare;
  let counted = nothing();
  const note = (sql: string, rows: number): void => {
    counted.statements += 1;
    counted.rows += rows;
    counted.most.set(sql, (counted.most.get(sql) ?? 0) + 1 + rows);
  };
  const spy = vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    const statement: Database.Statement = Reflect.apply(prepare, this, [sql]);
    const { run, get, all, iterate } = statement;
    return Object.assign(statement, {
      run: (...args: unknown[]) => {
        note(sql, 0);
        return run.apply(statement, args);
      },
      get: (...args: unknown[]) => {
        const row = get.apply(statement, args);
        note(sql, row === undefined ? 0 : 1);
        return row;
      },
      all: (...args: unknown[]) => {
        const rows = all.apply(statement, args);
        note(sql, rows.length);
        return rows;
      },
      iterate: function* (...args: unknown[]) {
        note(sql, 0);
        for (const row of iterate.apply(statement, args)) {
          counted.rows += 1;
          yield row;
        }
      },
    });
  });
  onTestFinished(() => spy.mockRestore());
  return {
    take: () => {
      const taken = counted;
      counted = nothing();
      return taken;
    },
  };
};
