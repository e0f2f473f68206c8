/** All rows of a SQLite database that hosts share, in pieces, from any place on. */

import type { Database } from "better-sqlite3";
import { type Change, type Shape, SHARED, type SharedTable, shapesOf } from "./shapes.ts";

/** The last row that was given. */
export interface Reached {
  readonly table: SharedTable;
  readonly key: string;
}

/** Rows, and about how many characters, of a piece. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

export function* wholeOf(db: Database, reached: Reached | null): Generator<readonly Change[]> {
  const from = reached === null ? 0 : SHARED.indexOf(reached.table);
  for (const shape of shapesOf(db).slice(from)) {
    const after = reached?.table === shape.table ? reached.key : null;
    yield* piecesOf(rowsOf(db, shape, after));
  }
}

export const countRows = (db: Database): number =>
  SHARED.reduce((sum, table) => sum + Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get()), 0);

function* rowsOf(db: Database, { table, key, columns }: Shape, after: string | null): Generator<Change> {
  const names = key.map((name) => `"${name}"`).join(", ");
  const beyond =
    after === null ? "" : `WHERE (${names}) > (${key.map((_, index) => `? ->> ${index}`).join(", ")})`;
  const select = db.prepare<unknown[], Record<string, unknown>>(
    `SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM "${table}" ${beyond} ORDER BY ${names}`,
  );
  for (const row of select.iterate(...(after === null ? [] : key.map(() => after)))) {
    yield { table, key: JSON.stringify(key.map((name) => row[name])), body: JSON.stringify(row) };
  }
}

function* piecesOf(rows: Iterable<Change>): Generator<readonly Change[]> {
  let piece: Change[] = [];
  let size = 0;
  for (const row of rows) {
    piece.push(row);
    size += row.body?.length ?? 0;
    if (piece.length < ROWS && size < CHARACTERS) continue;
    yield piece;
    piece = [];
    size = 0;
  }
  if (piece.length > 0) yield piece;
}
