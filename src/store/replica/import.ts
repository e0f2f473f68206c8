/**
 * Copies a SQLite database into the empty one that hosts are to share. How far it came is written with each piece, so
 * that it goes on where it was interrupted; until its end no host begins.
 */

import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import * as z from "zod";
import { connectForReading } from "../connect.ts";
import { SCHEMA } from "../migrations.ts";
import { instant, keepLease, takeLease } from "./lease.ts";
import { createLink, type FleetSettings, type Link, type Trouble } from "./link.ts";
import { createPush, type Standing } from "./push.ts";
import { LOCKS } from "./schema.ts";
import { SHARED } from "./shapes.ts";
import { countRows, wholeOf } from "./whole.ts";

export interface Done {
  readonly kind: "done";
}

const IMPORTER = "parley import";

const LEASE = `
SELECT epoch, seq, owner, importing, EXISTS (SELECT FROM parley.rows) AS "hasRows",
  EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS.active} AND objid = epoch
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "isLocked"
FROM parley.lease`;

const END =
  "UPDATE parley.lease SET schema = $3, importing = NULL WHERE epoch = $1 AND term = $2 RETURNING seq";

const progress = z.object({ source: z.string(), count: z.number(), table: z.enum(SHARED), key: z.string() });
const leaseRow = z.object({
  epoch: z.coerce.number(),
  seq: z.coerce.number(),
  owner: z.string().nullable(),
  importing: z.string().nullable(),
  hasRows: z.boolean(),
  isLocked: z.boolean(),
});

/** `told` hears which share of the rows is there. */
export const importInto = async (
  settings: FleetSettings,
  file: string,
  told: (share: number) => void,
): Promise<Done | Trouble> => {
  const connected = opened(file);
  if (connected.kind === "trouble") return connected;
  const session = createLink(settings);
  try {
    return await begin(connected.db, session, file, told);
  } finally {
    connected.db.close();
    await session.close();
  }
};

const begin = async (
  db: Database,
  session: Link,
  file: string,
  told: (share: number) => void,
): Promise<Done | Trouble> => {
  const answer = await session.ask(LEASE);
  if (answer.kind === "trouble") return answer;
  const lease = leaseRow.parse(answer.rows[0]);
  const source = fingerprint(db);
  const from = lease.importing === null ? null : progress.parse(JSON.parse(lease.importing));
  if (lease.isLocked && lease.owner !== null)
    return trouble(`${lease.owner} is active in the database of PARLEY_DATABASE. Stop all hosts first.`);
  if (from === null && lease.hasRows)
    return trouble("The database of PARLEY_DATABASE is not empty. Only an empty one takes an import.");
  if (from !== null && from.source !== source)
    return trouble(
      `The import that was begun copies another state than ${file} has. Empty the schema parley and begin anew.`,
    );
  const asked = instant();
  const taking = { name: IMPORTER, epoch: lease.epoch, isFree: true, isImport: true };
  const taken = await takeLease(session, taking);
  if (taken.kind === "trouble") return taken;
  if (taken.kind === "outrun") return trouble("Another import or host was faster. Look at parley hosts.");
  const kept = keepLease(session, IMPORTER, taken.standing, asked, () => {});
  try {
    return await copy(db, session, taken.standing, { source, from }, told);
  } finally {
    await kept.release();
  }
};

const copy = async (
  db: Database,
  link: Link,
  first: Standing,
  { source, from }: { readonly source: string; readonly from: z.output<typeof progress> | null },
  told: (share: number) => void,
): Promise<Done | Trouble> => {
  const push = createPush(link);
  const total = countRows(db);
  let standing = first;
  let count = from?.count ?? 0;
  for (const piece of wholeOf(db, from)) {
    const last = piece.at(-1);
    if (last === undefined) break;
    count += piece.length;
    const importing = JSON.stringify({ source, count, table: last.table, key: last.key });
    const pushed = await push(piece, standing, importing);
    if (pushed.kind === "refused") return trouble(pushed.failure.message);
    if (pushed.kind === "lost") return trouble(pushed.why);
    standing = { ...standing, seq: pushed.seq };
    told(total === 0 ? 1 : count / total);
  }
  const ended = await link.ask(END, [standing.epoch, standing.term, SCHEMA]);
  if (ended.kind === "trouble") return ended;
  return ended.rows.length > 0 ? { kind: "done" } : trouble("Another host took over. Look at parley hosts.");
};

const trouble = (why: string): Trouble => ({ kind: "trouble", why });

const opened = (file: string): { readonly kind: "connected"; readonly db: Database } | Trouble => {
  try {
    const connected = connectForReading(file);
    return connected.kind === "refused" ? trouble(connected.message) : connected;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return trouble(`${file} cannot be read: ${error.message}. Name the database of a single host.`);
  }
};

/** Changes where anything that a conversation says of itself changes. */
const fingerprint = (db: Database): string => {
  const hash = createHash("sha256").update(String(countRows(db)));
  for (const row of db.prepare("SELECT id, updated_at, state FROM conversations ORDER BY id").raw().iterate())
    hash.update(JSON.stringify(row));
  return hash.digest("hex");
};
