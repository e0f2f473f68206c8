/**
 * Brings a database to the schema of this version, one transaction a migration, and refuses files that are not
 * ours or that a newer version wrote, before anything in them is changed.
 */

import type { Database } from "better-sqlite3";
import { FIRST } from "./migrations/first/0001-conversations.ts";
import { SECOND } from "./migrations/first/0002-threads.ts";
import { THIRD } from "./migrations/first/0003-questions.ts";
import { FOURTH } from "./migrations/first/0004-inbox.ts";
import { FIFTH } from "./migrations/first/0005-positions.ts";
import { SIXTH } from "./migrations/first/0006-shown-questions.ts";
import { SEVENTH } from "./migrations/first/0007-claimed-messages.ts";
import { EIGHTH } from "./migrations/first/0008-thread-roots.ts";
import { NINTH } from "./migrations/first/0009-announcements.ts";
import { TENTH } from "./migrations/0010-awaiting-agents.ts";
import { ELEVENTH } from "./migrations/0011-budgets.ts";
import { TWELFTH } from "./migrations/0012-archive.ts";
import { THIRTEENTH } from "./migrations/0013-search.ts";
import { FOURTEENTH } from "./migrations/0014-instructions.ts";
import { FIFTEENTH } from "./migrations/0015-channels.ts";
import { SIXTEENTH } from "./migrations/0016-at-work.ts";
import { SEVENTEENTH } from "./migrations/0017-replies.ts";
import { EIGHTEENTH } from "./migrations/0018-unbound.ts";
import { NINETEENTH } from "./migrations/0019-channel-models.ts";
import { TWENTIETH } from "./migrations/0020-watches.ts";
import { TWENTY_FIRST } from "./migrations/0021-channel-servers.ts";
import { TWENTY_SECOND } from "./migrations/0022-channel-knowledge.ts";
import { TWENTY_THIRD } from "./migrations/0023-answers.ts";
import { TWENTY_FOURTH } from "./migrations/0024-feedback.ts";
import { TWENTY_FIFTH } from "./migrations/0025-review.ts";
import { TWENTY_SIXTH } from "./migrations/0026-digests.ts";
import { TWENTY_SEVENTH } from "./migrations/0027-channel-languages.ts";
import { TWENTY_EIGHTH } from "./migrations/0028-posts-in-order.ts";
import { TWENTY_NINTH } from "./migrations/0029-fleet.ts";

/** Number n, counted from 1, brings schema n-1 to n. Released ones are never edited. */
const MIGRATIONS: readonly string[] = [
  FIRST,
  SECOND,
  THIRD,
  FOURTH,
  FIFTH,
  SIXTH,
  SEVENTH,
  EIGHTH,
  NINTH,
  TENTH,
  ELEVENTH,
  TWELFTH,
  THIRTEENTH,
  FOURTEENTH,
  FIFTEENTH,
  SIXTEENTH,
  SEVENTEENTH,
  EIGHTEENTH,
  NINETEENTH,
  TWENTIETH,
  TWENTY_FIRST,
  TWENTY_SECOND,
  TWENTY_THIRD,
  TWENTY_FOURTH,
  TWENTY_FIFTH,
  TWENTY_SIXTH,
  TWENTY_SEVENTH,
  TWENTY_EIGHTH,
  TWENTY_NINTH,
];

/** Of databases that this version writes. */
export const SCHEMA = MIGRATIONS.length;

/** "Prly" in SQLite's header, so that a foreign database is not taken for an old one of ours. */
const APPLICATION_ID = 0x50726c79;

type Refused = { readonly kind: "refused"; readonly message: string };

/** `name` is what messages call the file. Throws SqliteError where the file cannot be read or written. */
export const migrate = (
  db: Database,
  name: string,
  migrations: readonly string[] = MIGRATIONS,
): { readonly kind: "ready" } | Refused => {
  const found = inspect(db, name, migrations.length);
  if (found.kind === "refused") return found;
  for (const [index, sql] of migrations.entries()) {
    if (index >= found.version) apply(db, sql, index + 1);
  }
  return { kind: "ready" };
};

/** Not further than to an older schema, in which another database keeps its rows. */
export const migrateTo = (db: Database, name: string, schema: number): ReturnType<typeof migrate> =>
  migrate(db, name, MIGRATIONS.slice(0, schema));

/** Whether the file can be read as it is: it has exactly this version's schema. Changes nothing. */
export const isCurrent = (db: Database, name: string): { readonly kind: "ready" } | Refused => {
  const found = inspect(db, name, MIGRATIONS.length);
  if (found.kind === "refused") return found;
  return found.version === MIGRATIONS.length
    ? { kind: "ready" }
    : {
        kind: "refused",
        message: `${name} is of an older version. Start Parley once to bring it up to date.`,
      };
};

/** The schema of a file that is ours, whatever version wrote it. Changes nothing. */
export const ownSchema = (
  db: Database,
  name: string,
): { readonly kind: "ours"; readonly version: number } | Refused =>
  inspect(db, name, Number.POSITIVE_INFINITY);

const inspect = (
  db: Database,
  name: string,
  known: number,
): { readonly kind: "ours"; readonly version: number } | Refused => {
  const version = number(db, "user_version");
  const owner = number(db, "application_id");
  if (owner !== APPLICATION_ID && !(owner === 0 && version === 0 && isEmpty(db))) {
    return { kind: "refused", message: `${name} is not a database of Parley. ${REMEDY}` };
  }
  return version > known
    ? { kind: "refused", message: newer(name, version, known) }
    : { kind: "ours", version };
};

const REMEDY = "Move it away, or set PARLEY_DATA to another directory.";

const newer = (name: string, found: number, known: number): string =>
  `${name} has schema ${found}, and this version of Parley knows schemas up to ${known}. ` +
  "Start the newer Parley that wrote it, or restore a backup from before the upgrade.";

const apply = (db: Database, sql: string, version: number): void => {
  db.transaction(() => {
    db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${version}`);
  }).exclusive();
};

export const readVersion = (db: Database): number => number(db, "user_version");

const isEmpty = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;

const number = (db: Database, pragma: "user_version" | "application_id"): number =>
  Number(db.pragma(pragma, { simple: true }));
