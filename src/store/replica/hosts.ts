/** Which hosts share the database, and how far each is. */

import * as z from "zod";
import type { Done } from "./import.ts";
import type { Link, Trouble } from "./link.ts";

export interface HostRow {
  readonly name: string;
  readonly active: boolean;
  readonly version: string;
  /** Milliseconds of the database's clock, as `seen`. */
  readonly started: number;
  readonly seen: number;
  /** It was heard of within ten seconds. */
  readonly isLive: boolean;
  /** Last group that its replica was seen to have. */
  readonly applied: number;
  /** Rows that its replica does not have yet. */
  readonly behind: number;
  readonly draining: boolean;
}

const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

const HOSTS = `
SELECT name, name IS NOT DISTINCT FROM owner AS active, version, ${millis("started")} AS started, ${millis("seen")} AS seen,
  seen > clock_timestamp() - interval '10 seconds' AS "isLive", applied, draining,
  CASE WHEN name IS DISTINCT FROM owner THEN (SELECT count(*) FROM parley.rows WHERE rows.seq > hosts.applied) ELSE 0 END AS behind
FROM parley.hosts CROSS JOIN parley.lease ORDER BY name`;

const hostRow = z.object({
  name: z.string(),
  active: z.boolean(),
  version: z.string(),
  started: z.coerce.number(),
  seen: z.coerce.number(),
  isLive: z.boolean(),
  applied: z.coerce.number(),
  behind: z.coerce.number(),
  draining: z.boolean(),
});

export const listHosts = async (link: Link): Promise<readonly HostRow[] | Trouble> => {
  const answer = await link.ask(HOSTS);
  return answer.kind === "trouble" ? answer : z.array(hostRow).parse(answer.rows);
};

export const startDraining = async (link: Link, name: string): Promise<Done | Trouble> => {
  const answer = await link.ask("UPDATE parley.hosts SET draining = true WHERE name = $1 RETURNING name", [
    name,
  ]);
  if (answer.kind === "trouble") return answer;
  if (answer.rows.length > 0) return { kind: "done" };
  return { kind: "trouble", why: `There is no host ${name}. Look at parley hosts.` };
};
