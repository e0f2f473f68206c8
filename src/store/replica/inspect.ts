/** What doctor says of the database that hosts share. */

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

/** Over a connection of its own; the second round trip is measured. */
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

/** Connections of an active host and one that takes over from it. */
const NEEDED = 8;
/** Seconds, and milliseconds. */
const APART = 5;
const SLOW = 20;

const findings = (facts: Facts): Inspection => [
  { level: "ok", what: WHAT, found: told(facts), remedy: null },
  ...PROBLEMS.flatMap(({ level, isThere, found, remedy }) =>
    isThere(facts) ? [{ level, what: WHAT, found: found(facts), remedy }] : [],
  ),
];

const told = ({ version, millis, used, most }: Facts): string =>
  `PostgreSQL ${version}, ${millis.toFixed(1)} ms a round trip, ${used} of ${most} connections in use`;

const PROBLEMS: readonly {
  readonly level: "warning" | "error";
  readonly isThere: (facts: Facts) => boolean;
  readonly found: (facts: Facts) => string;
  readonly remedy: string;
}[] = [
  {
    level: "error",
    isThere: ({ number }) => number < 150_000,
    found: ({ version }) => `PostgreSQL ${version} is too old`,
    remedy: "Use PostgreSQL 15 or later.",
  },
  {
    level: "error",
    isThere: ({ isReadOnly }) => isReadOnly,
    found: () => "it is read-only",
    remedy: "Point PARLEY_DATABASE at the primary.",
  },
  {
    level: "error",
    isThere: ({ mayWrite }) => !mayWrite,
    found: () => "the role may not write",
    remedy: "Grant it USAGE on the schema parley, and SELECT, INSERT, UPDATE and DELETE on all tables in it.",
  },
  {
    level: "error",
    isThere: ({ isDurable }) => !isDurable,
    found: () => "a commit may be lost when the power fails",
    remedy: "Set fsync and synchronous_commit to on.",
  },
  {
    level: "error",
    isThere: ({ most, used }) => most - used < NEEDED,
    found: ({ most, used }) => `only ${most - used} connections are free`,
    remedy: "Raise max_connections: each host takes three.",
  },
  {
    level: "warning",
    isThere: ({ mayDrop }) => mayDrop,
    found: () => "the role can drop the tables",
    remedy: "Let another role own the schema parley.",
  },
  {
    level: "warning",
    isThere: ({ isEncrypted, isLocal }) => !isEncrypted && !isLocal,
    found: () => "the connection is not encrypted",
    remedy: "Remove sslmode=disable from PARLEY_DATABASE.",
  },
  {
    level: "warning",
    isThere: ({ ahead }) => Math.abs(ahead) > APART,
    found: ({ ahead }) => `its clock and this host's are ${Math.abs(ahead)} s apart`,
    remedy: "Let both keep time by NTP. Nothing depends on it but what people read.",
  },
  {
    level: "warning",
    isThere: ({ millis }) => millis > SLOW,
    found: ({ millis }) => `a round trip takes ${millis.toFixed(0)} ms`,
    remedy: "Put the hosts and the database close together: each step waits for one.",
  },
];
