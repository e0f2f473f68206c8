/** Each migration is one transaction. A foreign file or a file of a newer version is refused before any change. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Database } from "better-sqlite3";

const FOLDER = join(import.meta.dirname, "../migrations");

/** File n, counted from 1, migrates schema n-1 to n. Released files are never edited. */
const MIGRATIONS: readonly string[] = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".sql"))
  .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
  .map((name) => readFileSync(join(FOLDER, name), "utf8"));

export const SCHEMA = MIGRATIONS.length;

/** "Prly" in SQLite's header, so that a foreign database is not taken for an old Parley database. */
const APPLICATION_ID = 0x50726c79;

type Refused = { readonly kind: "refused"; readonly message: string };
type Ready = { readonly kind: "ready" } | Refused;

/** Throws SqliteError if the file cannot be read or written. */
export const migrate = (db: Database, name: string, migrations: readonly string[] = MIGRATIONS): Ready => {
  const found = ownSchema(db, name, migrations.length);
  if (found.kind === "refused") return found;
  for (const [index, sql] of migrations.entries()) {
    if (index >= found.version) apply(db, sql, index + 1);
  }
  return { kind: "ready" };
};

/** Migrates only up to an older schema, in which another database stores its rows. */
export const migrateTo = (db: Database, name: string, schema: number): Ready =>
  migrate(db, name, MIGRATIONS.slice(0, schema));

export const isCurrent = (db: Database, name: string): Ready => {
  const found = ownSchema(db, name, SCHEMA);
  if (found.kind === "refused") return found;
  if (found.version === SCHEMA) return { kind: "ready" };
  const message = `${name} is of an older version. Start Parley once to upgrade the database.`;
  return { kind: "refused", message };
};

/** Refuses foreign files, and schemas above `known`. Changes nothing. */
export const ownSchema = (
  db: Database,
  name: string,
  known = Number.POSITIVE_INFINITY,
): { readonly kind: "ours"; readonly version: number } | Refused => {
  const version = readVersion(db);
  const owner = Number(db.pragma("application_id", { simple: true }));
  if (owner !== APPLICATION_ID && !(owner === 0 && version === 0 && isEmpty(db))) {
    return { kind: "refused", message: `${name} is not a database of Parley. ${REMEDY}` };
  }
  return version > known
    ? { kind: "refused", message: newer(name, version, known) }
    : { kind: "ours", version };
};

const REMEDY = "Move the file away, or set PARLEY_DATA to another directory.";

const newer = (name: string, found: number, known: number): string =>
  `${name} has schema ${found}, and this version of Parley knows schemas up to ${known}. ` +
  "Start the newer Parley that wrote the database, or restore a backup from before the upgrade.";

const apply = (db: Database, sql: string, version: number): void => {
  db.transaction(() => {
    db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${version}`);
  }).exclusive();
};

export const readVersion = (db: Database): number => Number(db.pragma("user_version", { simple: true }));

const isEmpty = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
