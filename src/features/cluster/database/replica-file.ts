/** The SQLite file of a host that shares a database: made new from its rows, or found where it was left. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import Database, { type Database as Connection } from "better-sqlite3";
import * as z from "zod";
import { BUSY_TIMEOUT, harden, isReplica } from "../../../store/base/connect.ts";
import { json } from "../../../store/base/codec.ts";
import { migrateTo, readVersion, SCHEMA } from "../../../store/base/migrations.ts";
import { linkRefusal } from "./link.ts";
import { farthest, type ReplicaPosition, positionRow } from "./push.ts";
import { sharedIn } from "./shapes.ts";

export const aheadOf = (file: string, steps: number): string =>
  `${file} has ${steps === 0 ? "a history" : `${steps} steps`} that the database of PARLEY_DATABASE does not have: it was set back to an ` +
  "earlier point, or a failover lost them. Bring the database back, or move the file away to go on without them.";

export const NOWHERE: ReplicaPosition = { epoch: 0, term: "", seq: 0 };

/** What the database has: the schema of its rows, and the last group. */
export interface DatabaseRows {
  readonly schema: number;
  readonly seq: number;
}

/**
 * `schema`: of the rows in the database `id`. A replica of another schema is made anew. 0: there are no rows yet, and
 * those that every new file has are the first.
 */
export const openReplica = (file: string, id: string, { schema, seq }: DatabaseRows, isStale: boolean) => {
  const found = existsSync(file) ? inspect(file) : null;
  if (found === "foreign")
    return linkRefusal(
      `${file} is a database of its own. Bring it into the shared one with parley import, or move it away.`,
    );
  if (found !== null) {
    const { database, schema: before, ...standing } = found;
    if (database !== id)
      return linkRefusal(
        `${file} is the replica of another database than PARLEY_DATABASE names. Correct the address, or move the file away.`,
      );
    if (!isStale && before === schema && standing.seq > 0)
      return { kind: "open" as const, db: connectReplica(file, schema), standing };
    if (!isStale && farthest(standing) > seq) return linkRefusal(aheadOf(file, farthest(standing) - seq));
  }
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, "", { mode: 0o600 });
  const db = connectReplica(file, schema === 0 ? SCHEMA : schema);
  if (schema > 0) for (const table of sharedIn(db)) db.exec(`DELETE FROM "${table}"`);
  db.exec(MAKE);
  db.prepare("INSERT INTO replica VALUES (1, ?, 0, '', 0, '[]')").run(id);
  return { kind: "open" as const, db, standing: NOWHERE };
};

/**
 * A file that can be made anew from the rows of another database, with their schema. Its references hold once all rows
 * are there. Throws where it cannot be had.
 */
export const connectReplica = (name: string, schema: number): Connection => {
  const db = new Database(name, { timeout: BUSY_TIMEOUT });
  db.pragma("secure_delete = ON");
  const migrated = migrateTo(db, name, schema);
  if (migrated.kind === "refused") throw new Error(migrated.message);
  harden(db);
  relaxDurability(db);
  db.pragma("foreign_keys = OFF");
  return db;
};

/** What a replica loses when the power fails is in the other database. */
export const relaxDurability = (db: Connection): void => {
  db.pragma("synchronous = NORMAL");
};

const MAKE = `
CREATE TABLE replica (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  database TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  term TEXT NOT NULL,
  seq INTEGER NOT NULL, -- group up to which all are in the file
  own TEXT NOT NULL -- JSON: groups of this host that are in it beyond that
) STRICT`;

/** Notes in the open transaction how far the file is. */
export const createNote = (db: Connection): ((standing: ReplicaPosition) => void) => {
  const update = db.prepare("UPDATE replica SET epoch = @epoch, term = @term, seq = @seq, own = @own");
  return ({ own = [], ...standing }) => void update.run({ ...standing, own: JSON.stringify(own) });
};

const replicaRow = z.object({
  database: z.string(),
  ...positionRow,
  own: json(z.array(z.number())),
});

export const readReplicaPosition = (
  db: Connection,
): (ReplicaPosition & { readonly database: string }) | null =>
  isReplica(db) ? replicaRow.parse(db.prepare("SELECT * FROM replica").get()) : null;

/** Null: nothing is in it. */
const inspect = (file: string) => {
  const db = new Database(file, { readonly: true });
  try {
    const found = readReplicaPosition(db);
    if (found === null) return isEmpty(db) ? null : "foreign";
    return { ...found, schema: readVersion(db) };
  } finally {
    db.close();
  }
};

/** Tables that are not strict are another program's. */
const FOREIGN =
  "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'";

/** Nothing but the key that every new file has. */
const isEmpty = (db: Connection): boolean =>
  db.prepare(FOREIGN).get() === undefined &&
  sharedIn(db).every((table) => {
    const but = table === "notes" ? "WHERE name <> 'feedback-key'" : "";
    return db.prepare(`SELECT 1 FROM "${table}" ${but} LIMIT 1`).get() === undefined;
  });
