import type { Database } from "better-sqlite3";
import { SCHEMA } from "../../../store/base/migrations.ts";
import { type DatabaseLink, type LinkTrouble, trouble } from "./link.ts";
import { putRows, pushedRowsOf, type ReplicaPosition } from "./push.ts";
import { type CapturedRow, shapesOf } from "./shapes.ts";

/** Maximum number of rows of a piece, and the piece's approximate size in characters. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

/**
 * Locks the row of the lease until the end, so that no host can join. The condition on the schema lets only one host upgrade
 * the schema: a second replacement would make the replicas of hosts that have joined meanwhile stale.
 */
const RAISE = `
WITH raised AS (
  UPDATE parley.lease SET seq = seq + 1, schema = $3, pruned = seq + 1
  WHERE term = $1 AND seq = $2 AND schema < $3 AND importing IS NULL
    AND NOT EXISTS (SELECT FROM parley.hosts WHERE joined IS NOT NULL) RETURNING seq
)
SELECT set_config('parley.raised', seq::text, true) FROM raised`;
/** A new connection did not raise the sequence, so the statements below change nothing there. */
const RAISED = "WITH raised AS (SELECT WHERE current_setting('parley.raised', true) = $1::bigint::text)";
const PUT = RAISED + putRows("$1::bigint", "$2", "raised, ");
const REST = `${RAISED} DELETE FROM parley.rows USING raised WHERE seq < $1::bigint`;

/**
 * Replaces all rows of the shared database in one transaction, as the next group, in the schema of this version. Null on
 * success.
 */
export const replaceAllRows = async (
  link: DatabaseLink,
  db: Database,
  { term, seq }: ReplicaPosition,
): Promise<LinkTrouble | null> => {
  try {
    const begun = await link.ask("BEGIN; SAVEPOINT whole");
    const raised = begun.kind === "trouble" ? begun : await link.ask(RAISE, [term, seq, SCHEMA]);
    if (raised.kind === "trouble") return raised;
    if (raised.rows.length === 0) return trouble("away", "another host was faster");
    for (const piece of copyPiecesOf(db)) {
      const put = await link.ask(PUT, [seq + 1, pushedRowsOf(piece)]);
      if (put.kind === "trouble") return put;
    }
    const rest = await link.ask(REST, [seq + 1]);
    const done = rest.kind === "trouble" ? rest : await link.ask("RELEASE whole; COMMIT");
    return done.kind === "trouble" ? done : null;
  } finally {
    await link.ask("ROLLBACK");
  }
};

/** Yields the same pieces each time, as long as no row is written. */
export function* copyPiecesOf(db: Database): Generator<readonly CapturedRow[]> {
  let piece: CapturedRow[] = [];
  let size = 0;
  for (const row of changesOf(db)) {
    piece.push(row);
    size += row.body?.length ?? 0;
    if (piece.length < ROWS && size < CHARACTERS) continue;
    yield piece;
    piece = [];
    size = 0;
  }
  if (piece.length > 0) yield piece;
}

function* changesOf(db: Database): Generator<CapturedRow> {
  for (const { table, key, columns } of shapesOf(db)) {
    const names = columns.map((name) => `"${name}"`).join(", ");
    const order = key.map((name) => `"${name}"`).join(", ");
    const select = db.prepare<[], Record<string, unknown>>(
      `SELECT ${names} FROM "${table}" ORDER BY ${order}`,
    );
    for (const row of select.iterate())
      yield { table, key: JSON.stringify(key.map((name) => row[name])), body: JSON.stringify(row) };
  }
}
