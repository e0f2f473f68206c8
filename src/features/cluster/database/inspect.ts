import * as z from "zod";
import { createLink, type FleetSettings } from "./link.ts";

export type Inspection = readonly {
  readonly level: "ok" | "warning" | "error";
  readonly what: string;
  readonly found: string;
  readonly remedy: string | null;
}[];

const FACTS = `
SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  current_setting('max_connections')::int AS most, (SELECT count(*)::int FROM pg_stat_activity) AS used,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
  inet_client_addr() IS NULL AS "isLocal",
  has_table_privilege('parley.rows', 'SELECT') AND has_table_privilege('parley.rows', 'INSERT')
    AND has_table_privilege('parley.rows', 'UPDATE') AND has_table_privilege('parley.rows', 'DELETE') AND has_table_privilege('parley.lease', 'UPDATE') AS "mayWrite",
  pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'parley'), 'MEMBER') AS "mayDrop",
  current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS "isDurable"`;

const factsRow = z.object({
  version: z.string(),
  number: z.number(),
  now: z.number(),
  isReadOnly: z.boolean(),
  most: z.number(),
  used: z.number(),
  isEncrypted: z.boolean(),
  isLocal: z.boolean(),
  mayWrite: z.boolean(),
  mayDrop: z.boolean(),
  isDurable: z.boolean(),
});
type Facts = z.output<typeof factsRow> & { readonly millis: number; readonly ahead: number };

/** Uses a separate connection, and measures the second round trip. */
export const inspectDatabase = async (settings: FleetSettings): Promise<Inspection> => {
  const link = createLink(settings);
  const first = await link.ask(FACTS);
  const from = performance.now();
  const answer = first.kind === "trouble" ? first : await link.ask(FACTS);
  const millis = performance.now() - from;
  await link.close();
  if (answer.kind === "trouble")
    return [{ level: "error", what: WHAT, found: answer.why, remedy: answer.remedy }];
  const facts = factsRow.parse(answer.rows[0]);
  return findings({ ...facts, millis, ahead: Math.round((facts.now - Date.now() + millis / 2) / 1_000) });
};

const WHAT = "database";

/** Connections of an active host and of a host that takes over from it. */
const NEEDED = 8;
/** Limit for the clock difference, in seconds, and for a round trip, in milliseconds. */
const APART = 5;
const SLOW = 20;

const findings = (facts: Facts): Inspection => [
  { level: "ok", what: WHAT, found: told(facts), remedy: null },
  ...problems(facts).flatMap(([level, isThere, found, remedy]) =>
    isThere ? [{ level, what: WHAT, found, remedy }] : [],
  ),
];

const told = ({ version, millis, used, most }: Facts): string =>
  `PostgreSQL ${version}, ${millis.toFixed(1)} ms per round trip, ${used} of ${most} connections in use`;

type Problem = readonly [level: "warning" | "error", isThere: boolean, found: string, remedy: string];

const problems = ({ version, most, used, millis, ahead, ...facts }: Facts): readonly Problem[] => [
  ["error", facts.number < 150_000, `PostgreSQL ${version} is too old`, "Use PostgreSQL 15 or later."],
  ["error", facts.isReadOnly, "the database is read-only", "Point PARLEY_DATABASE at the primary."],
  ["error", !facts.mayWrite, "the role has no write permission", GRANT],
  ["error", !facts.isDurable, "commits can be lost when the power fails", DURABLE],
  ["error", most - used < NEEDED, `only ${most - used} connections are free`, CONNECTIONS],
  ["warning", facts.mayDrop, "the role can drop the tables", "Let another role own the schema parley."],
  ["warning", !facts.isEncrypted && !facts.isLocal, "the connection is not encrypted", ENCRYPT],
  [
    "warning",
    Math.abs(ahead) > APART,
    `the clocks of the database and of this host differ by ${Math.abs(ahead)} s`,
    CLOCKS,
  ],
  ["warning", millis > SLOW, `a round trip takes ${millis.toFixed(0)} ms`, CLOSE],
];

const GRANT =
  "Grant the role USAGE on the schema parley, and SELECT, INSERT, UPDATE and DELETE on all tables of the schema.";
const DURABLE = "Set fsync and synchronous_commit to on.";
const CONNECTIONS = "Raise max_connections; each host uses three.";
const ENCRYPT = "Remove sslmode=disable from PARLEY_DATABASE.";
const CLOCKS = "Synchronize both clocks by NTP; only displayed times depend on the clocks.";
const CLOSE = "Move the hosts and the database closer together; each step waits for one round trip.";
