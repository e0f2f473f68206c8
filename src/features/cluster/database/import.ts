/**
 * Copies a SQLite database into the empty shared one. Each piece is written together with the progress, so that an interrupted
 * import can continue. No host starts before the import ends.
 */

import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import * as z from "zod";
import { connectForReading } from "../../../store/base/connect.ts";
import { json } from "../../../store/base/codec.ts";
import { SCHEMA } from "../../../store/base/migrations.ts";
import {
  type LinkAnswer,
  createLink,
  type DatabaseDone,
  type FleetSettings,
  type DatabaseLink,
  type DatabaseTrouble,
} from "./link.ts";
import { RAISE, termsStatement as noted } from "./membership.ts";
import { withPatience } from "./patience.ts";
import { putRows, pushedRowsOf } from "./push.ts";
import { sharedIn } from "./shapes.ts";
import { copyPiecesOf } from "./replace-all-rows.ts";

const LEASE = `
SELECT term, seq, importing, importing AS progress, EXISTS (SELECT FROM parley.rows) AS "hasRows",
  (SELECT name FROM parley.hosts WHERE joined IS NOT NULL AND until > clock_timestamp() LIMIT 1) AS active
FROM parley.lease`;
/** From this statement until the end of an import, no host can join. */
const BEGIN = `
WITH raised AS (${RAISE}, importing = $3 WHERE term = $1 AND seq = $2 AND importing IS NULL RETURNING epoch, term, seq),
${noted("'parley import'")} SELECT seq FROM raised`;
/** Matches the progress before or after this piece, so that sending the statement again changes nothing. */
const PIECE = `
WITH raised AS (UPDATE parley.lease SET importing = $2 WHERE importing IN ($1, $2) RETURNING seq + 1 AS seq),
put AS (${putRows("raised.seq", "$3", "raised, ")}) SELECT seq FROM raised`;
const END = `
UPDATE parley.lease SET seq = seq + 1, schema = $2, pruned = seq + 1, importing = NULL WHERE importing = $1 RETURNING seq`;

const leaseRow = z.object({
  term: z.string(),
  seq: z.coerce.number(),
  importing: z.string().nullable(),
  /** Fingerprint of the imported database, and the number of rows copied so far; 0 if another version started the import. */
  progress: json(z.object({ source: z.string(), rows: z.number().default(0) })).nullable(),
  hasRows: z.boolean(),
  active: z.string().nullable(),
});

/** `told` receives the share of rows that are copied. */
export const importInto = async (
  settings: FleetSettings,
  file: string,
  told: (share: number) => void,
): Promise<DatabaseDone | DatabaseTrouble> => {
  const connected = opened(file);
  if (connected.kind === "trouble") return connected;
  const link = createLink(settings);
  try {
    return await copy(connected.db, link, file, told);
  } finally {
    connected.db.close();
    await link.close();
  }
};

const copy = async (
  db: Database,
  link: DatabaseLink,
  file: string,
  told: (share: number) => void,
): Promise<DatabaseDone | DatabaseTrouble> => {
  const answer = await link.ask(LEASE);
  if (answer.kind === "trouble") return answer;
  const { term, seq, importing, progress, hasRows, active } = leaseRow.parse(answer.rows[0]);
  const source = fingerprint(db);
  if (active !== null)
    return trouble(`${active} is active in the database of PARLEY_DATABASE. Stop all hosts first.`);
  if (progress === null && hasRows)
    return trouble("The database of PARLEY_DATABASE is not empty. An import needs an empty database.");
  if (progress !== null && progress.source !== source)
    return trouble(
      `The unfinished import copies another state than that of ${file}. Empty the schema parley and start the import again.`,
    );
  let reached = importing ?? JSON.stringify({ source, rows: 0 });
  if (importing === null) {
    const begun = problemOf(await link.ask(BEGIN, [term, seq, reached]));
    if (begun !== null) return begun;
  }
  const total = countRows(db);
  let rows = 0;
  for (const piece of copyPiecesOf(db)) {
    rows += piece.length;
    if (rows <= (progress?.rows ?? 0)) continue;
    const next = JSON.stringify({ source, rows });
    const put = problemOf(await withPatience(() => link.ask(PIECE, [reached, next, pushedRowsOf(piece)])));
    if (put !== null) return put;
    reached = next;
    told(rows / total);
  }
  return problemOf(await link.ask(END, [reached, SCHEMA])) ?? { kind: "done" };
};

const problemOf = (answer: LinkAnswer): DatabaseTrouble | null => {
  if (answer.kind === "trouble") return answer;
  return answer.rows.length > 0
    ? null
    : trouble("Another import or host changed the database first. Run parley hosts for a list.");
};

const countRows = (db: Database): number =>
  sharedIn(db).reduce(
    (sum, table) => sum + Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get()),
    0,
  );

const trouble = (why: string): DatabaseTrouble => ({ kind: "trouble", why });

const opened = (file: string): { readonly kind: "connected"; readonly db: Database } | DatabaseTrouble => {
  try {
    const connected = connectForReading(file);
    return connected.kind === "refused" ? trouble(connected.message) : connected;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return trouble(`${file} cannot be read: ${error.message}. Name the database of a single host.`);
  }
};

/** Hash that changes with the number of shared rows and the state of any conversation. */
const fingerprint = (db: Database): string => {
  const hash = createHash("sha256").update(String(countRows(db)));
  for (const row of db.prepare("SELECT id, updated_at, state FROM conversations ORDER BY id").raw().iterate())
    hash.update(JSON.stringify(row));
  return hash.digest("hex");
};
