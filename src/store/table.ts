/** A table whose rows are values: each is put in the place of the one with its key, and read as its schema says. */

import type { Database } from "better-sqlite3";
import type * as z from "zod";
import { encode, type Read } from "./codec.ts";

/**
 * `row` is what is read of a row: its key only where it is named there, too. `columns`: those that are called otherwise
 * than what they hold. Each member prepares a statement.
 */
export const createTable =
  (db: Database, read: Read) =>
  <Key extends string, Row extends z.ZodObject>(
    name: string,
    key: readonly Key[],
    row: Row,
    columns: Readonly<Record<string, string>> = {},
  ) => {
    const columnOf = (field: string): string => columns[field] ?? field;
    const fields = Object.keys(row.shape);
    const select = `SELECT ${fields.map((one) => `${columnOf(one)} AS "${one}"`).join(", ")} FROM ${name}`;
    const ofKey = `WHERE ${key.map((one) => `${columnOf(one)} = ?`).join(" AND ")}`;
    const from = { table: name };

    return {
      /** The row with the key, or the first of those that the end of the statement names. */
      one: (end = ofKey) => {
        const statement = db.prepare(`${select} ${end}`);
        return (...given: readonly unknown[]): z.output<Row> | null =>
          read(row, statement.get(...given), from);
      },

      all: (end: string) => {
        const statement = db.prepare(`${select} ${end}`);
        return (...given: readonly unknown[]): z.output<Row>[] =>
          read.all(row, statement.all(...given), from);
      },

      put: () => {
        const written = [...new Set<string>([...key, ...fields])];
        const renewed = written.filter((one) => !key.some((known) => known === one)).map(columnOf);
        const statement = db.prepare(`
        INSERT INTO ${name} (${written.map(columnOf).join(", ")})
        VALUES (${written.map((one) => `@${one}`).join(", ")})
        ON CONFLICT (${key.map(columnOf).join(", ")})
        DO UPDATE SET ${renewed.map((column) => `${column} = excluded.${column}`).join(", ")}`);
        return (value: z.output<Row> & Readonly<Record<Key, string>>): void => {
          const values: Readonly<Record<string, unknown>> = value;
          statement.run(Object.fromEntries(written.map((one) => [one, stored(values[one])])));
        };
      },

      drop: () => {
        const statement = db.prepare(`DELETE FROM ${name} ${ofKey}`);
        return (...given: string[]): void => void statement.run(...given);
      },
    };
  };

/** What is no text and no number is kept as JSON. */
const stored = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" && value !== null ? encode(value) : value;
};
