/** A table whose rows are values: a write replaces the row with the same key, and a read parses by the schema. */

import type { Database } from "better-sqlite3";
import type * as z from "zod";
import { encode, type Read } from "./codec.ts";

/** Values of the first key columns, then an object with the other fields, each parsed or in its stored form. */
type Given<Row extends z.ZodObject> = readonly [
  ...key: readonly string[],
  row: { readonly [K in keyof z.output<Row>]: z.output<Row>[K] | z.input<Row>[K & keyof z.input<Row>] },
];

/** `columns`: names that differ from the field's by more than underscores. Each call of a member prepares a statement. */
export const createTable =
  (db: Database, read: Read) =>
  <Row extends z.ZodObject>(
    name: string,
    key: readonly string[],
    row: Row,
    columns: Readonly<Record<string, string>> = {},
  ) => {
    const columnOf = (field: string): string =>
      columns[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const fields = Object.keys(row.shape);
    const select = `SELECT ${fields.map((one) => `${columnOf(one)} AS "${one}"`).join(", ")} FROM ${name}`;
    const ofKey = `WHERE ${key.map((one) => `${columnOf(one)} = ?`).join(" AND ")}`;
    const from = { table: name };
    const written = [...new Set([...key, ...fields])];

    const writes = (conflict: string) => {
      const statement = db.prepare(`
        INSERT INTO ${name} (${written.map(columnOf).join(", ")})
        VALUES (${written.map((one) => `@${one}`).join(", ")})
        ON CONFLICT (${key.map(columnOf).join(", ")}) DO ${conflict}`);
      /** Returns false if the row with that key stays unchanged. */
      return (...given: Given<Row>): boolean => {
        const values: Readonly<Record<string, unknown>> = Object.assign(
          Object.fromEntries(key.map((one, n) => [one, given[n]])),
          given.at(-1),
        );
        return (
          statement.run(Object.fromEntries(written.map((one) => [one, stored(values[one])]))).changes > 0
        );
      };
    };

    return {
      /** Without `end`: the row with the key. */
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
        const renewed = written.filter((one) => !key.includes(one)).map(columnOf);
        return writes(`UPDATE SET ${renewed.map((column) => `${column} = excluded.${column}`).join(", ")}`);
      },

      insert: () => writes("NOTHING"),

      drop: () => {
        const statement = db.prepare(`DELETE FROM ${name} ${ofKey}`);
        return (...given: string[]): void => void statement.run(...given);
      },
    };
  };

const stored = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" && value !== null ? encode(value) : value;
};
