/** The SQLite file of a host that shares a database: created from the shared rows, or reused from the last start. */

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
  `${file} has ${steps === 0 ? "a history" : `${steps} steps`} that the database of PARLEY_DATABASE does not contain: the database was restored to an ` +
  "earlier point, or a failover lost them. Restore the newer database, or move the file away to continue without them.";

export const NOWHERE: ReplicaPosition = { epoch: 0, term: "", seq: 0 };

export interface DatabaseRows {
  readonly schema: number;
  readonly seq: number;
}

/**
 * Opens the replica of database `id`, or rebuilds a stale replica or a replica with another schema. Schema 0: the database
 * contains no rows yet, and the default rows of a new file become the first rows.
 */
export const openReplica = (file: string, id: string, { schema, seq }: DatabaseRows, isStale: boolean) => {
  const found = existsSync(file) ? inspect(file) : null;
  if (found === "foreign")
    return linkRefusal(
      `${file} is the database of a single host. Import the file into the shared database with parley import, or move the file away.`,
    );
  if (found !== null) {
    const { database, schema: before, ...standing } = found;
    if (database !== id)
      return linkRefusal(
        `${file} is the replica of another database. Correct PARLEY_DATABASE, or move the file away.`,
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
 * Opens a file that can be rebuilt from the rows of another database, with the schema of those rows. References may be broken
 * until all rows are applied. Throws if the file cannot be opened or migrated.
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

/** Relaxes the durability: rows that a replica loses in a power failure are still in the shared database. */
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

/** Records the position of the file in the open transaction. */
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

/** Null if the file is empty. */
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

/** Tables that are not strict belong to another program. */
const FOREIGN =
  "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'";

/** Whether the file contains at most the feedback key, which every new file has. */
const isEmpty = (db: Connection): boolean =>
  db.prepare(FOREIGN).get() === undefined &&
  sharedIn(db).every((table) => {
    const but = table === "notes" ? "WHERE name <> 'feedback-key'" : "";
    return db.prepare(`SELECT 1 FROM "${table}" ${but} LIMIT 1`).get() === undefined;
  });
