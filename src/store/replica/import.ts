/** Copies a SQLite database into the empty one that hosts are to share. Interrupted, it leaves nothing, and is begun anew. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import { connectForReading } from "../connect.ts";
import { createLink, type Done, type FleetSettings, type Link, type Trouble } from "./link.ts";
import { standingRow } from "./push.ts";
import { sharedIn } from "./shapes.ts";
import { putWhole } from "./whole.ts";

const LEASE = `
SELECT epoch, term, seq, importing IS NULL AND EXISTS (SELECT FROM parley.rows) AS "isUsed",
  (SELECT name FROM parley.hosts WHERE joined IS NOT NULL AND until > clock_timestamp() LIMIT 1) AS active
FROM parley.lease`;
/** From now on no host joins, until one has come to its end. */
const BEGIN = `
UPDATE parley.lease SET importing = 'begun'
WHERE term = $1 AND seq = $2 AND (importing IS NOT NULL OR NOT EXISTS (SELECT FROM parley.rows))`;

const leaseRow = z.object({ ...standingRow, isUsed: z.boolean(), active: z.string().nullable() });

/** `told` hears which share of the rows is there. */
export const importInto = async (
  settings: FleetSettings,
  file: string,
  told: (share: number) => void,
): Promise<Done | Trouble> => {
  const connected = opened(file);
  if (connected.kind === "trouble") return connected;
  const link = createLink(settings);
  try {
    return await copy(connected.db, link, told);
  } finally {
    connected.db.close();
    await link.close();
  }
};

const copy = async (db: Database, link: Link, told: (share: number) => void): Promise<Done | Trouble> => {
  const answer = await link.ask(LEASE);
  if (answer.kind === "trouble") return answer;
  const { isUsed, active, ...standing } = leaseRow.parse(answer.rows[0]);
  if (active !== null)
    return trouble(`${active} is active in the database of PARLEY_DATABASE. Stop all hosts first.`);
  if (isUsed)
    return trouble("The database of PARLEY_DATABASE is not empty. Only an empty one takes an import.");
  const begun = await link.ask(BEGIN, [standing.term, standing.seq]);
  if (begun.kind === "trouble") return begun;
  const total = countRows(db);
  const put = await putWhole(link, db, standing, true, (count) => told(total === 0 ? 1 : count / total));
  return put ?? { kind: "done" };
};

const countRows = (db: Database): number =>
  sharedIn(db).reduce(
    (sum, table) => sum + Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get()),
    0,
  );

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
