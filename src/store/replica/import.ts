/**
 * Copies a SQLite database into the empty one that hosts are to share. How far it came is written with each piece, so
 * that it goes on where it was interrupted; until its end no host begins.
 */

import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import * as z from "zod";
import { connectForReading } from "../connect.ts";
import { SCHEMA } from "../migrations.ts";
import { createLink, type Done, type FleetSettings, type Link, type Trouble } from "./link.ts";
import { createPush, NOBODY, type Standing, standingRow } from "./push.ts";
import { SHARED } from "./shapes.ts";
import { countRows, wholeOf } from "./whole.ts";

const LEASE = `
SELECT importing, EXISTS (SELECT FROM parley.rows) AS "hasRows",
  (SELECT name FROM parley.hosts WHERE joined IS NOT NULL AND until > clock_timestamp() LIMIT 1) AS active
FROM parley.lease`;
/** While it says how far an import came, no host joins, and whoever is in its term writes. */
const BEGIN = `
WITH begun AS (
  UPDATE parley.lease SET importing = coalesce(importing, $1), epoch = epoch + 1, term = gen_random_uuid()
  WHERE importing IS NOT DISTINCT FROM $2
    AND NOT EXISTS (SELECT FROM parley.hosts WHERE joined IS NOT NULL AND until > clock_timestamp()) RETURNING epoch, term, seq
), told AS (
  INSERT INTO parley.terms (epoch, term, owner, after) SELECT epoch, term, 'parley import', seq FROM begun
)
SELECT epoch, term, seq FROM begun`;
const END =
  "UPDATE parley.lease SET schema = $3, importing = NULL WHERE epoch = $1 AND term = $2 RETURNING seq";

const progress = z.object({
  source: z.string(),
  count: z.number(),
  /** None before the first piece. */
  table: z.enum(SHARED).optional(),
  key: z.string().default(""),
});
const leaseRow = z.object({
  importing: z.string().nullable(),
  hasRows: z.boolean(),
  active: z.string().nullable(),
});
const begunRow = z.object(standingRow);

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
  if (lease.active !== null)
    return trouble(`${lease.active} is active in the database of PARLEY_DATABASE. Stop all hosts first.`);
  if (from === null && lease.hasRows)
    return trouble("The database of PARLEY_DATABASE is not empty. Only an empty one takes an import.");
  if (from !== null && from.source !== source)
    return trouble(
      `The import that was begun copies another state than ${file} has. Empty the schema parley and begin anew.`,
    );
  const nothing = JSON.stringify({ source, count: 0 });
  const begun = await session.ask(BEGIN, [nothing, lease.importing]);
  if (begun.kind === "trouble") return begun;
  if (begun.rows.length === 0) return trouble(FASTER);
  return copy(db, session, begunRow.parse(begun.rows[0]), { source, from }, told);
};

const FASTER = "Another import or host was faster. Look at parley hosts.";

const copy = async (
  db: Database,
  link: Link,
  first: Standing,
  { source, from }: { readonly source: string; readonly from: z.output<typeof progress> | null },
  told: (share: number) => void,
): Promise<Done | Trouble> => {
  const push = createPush(link, NOBODY);
  const total = countRows(db);
  let standing = first;
  let count = from?.count ?? 0;
  const reached = from?.table === undefined ? null : { table: from.table, key: from.key };
  for (const piece of wholeOf(db, reached)) {
    const last = piece.at(-1);
    if (last === undefined) break;
    count += piece.length;
    const importing = JSON.stringify({ source, count, table: last.table, key: last.key });
    const pushed = await push(piece, standing, { importing });
    if (pushed.kind === "refused") return trouble(pushed.failure.message);
    if (pushed.kind !== "accepted") return trouble(FASTER);
    standing = { ...standing, seq: pushed.seq };
    told(total === 0 ? 1 : count / total);
  }
  const ended = await link.ask(END, [standing.epoch, standing.term, SCHEMA]);
  if (ended.kind === "trouble") return ended;
  return ended.rows.length > 0 ? { kind: "done" } : trouble(FASTER);
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
