import * as z from "zod";
import type { HomeId } from "../ports/fleet.ts";
import type { DatabaseDone, DatabaseLink, DatabaseTrouble } from "./link.ts";
import { LASTS } from "./membership.ts";
import { hasLock } from "./schema.ts";

const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

const HOSTS = `
SELECT name, joined IS NOT NULL AS active, version, ${millis("started")} AS started, ${millis("seen")} AS seen, applied, draining,
  seen > clock_timestamp() - interval '${LASTS} seconds' AND ${hasLock("name")} AS "isLive",
  joined IS NOT NULL AND joined = (SELECT min(joined) FROM parley.hosts) AS leads,
  (SELECT count(*) FROM parley.rows WHERE rows.seq > hosts.applied) AS behind,
  (SELECT count(*) FROM parley.rows WHERE tbl = 'homes' AND body ->> 'host' = hosts.name) AS owns
FROM parley.hosts ORDER BY name`;

const hostRow = z.object({
  name: z.string(),
  active: z.boolean(),
  leads: z.boolean(),
  version: z.string(),
  /** Milliseconds on the database's clock, like `seen`. */
  started: z.coerce.number(),
  seen: z.coerce.number(),
  isLive: z.boolean(),
  /** Last group that the host's replica is known to contain. */
  applied: z.coerce.number(),
  behind: z.coerce.number(),
  draining: z.boolean(),
  /** Number of the host's conversations. */
  owns: z.coerce.number(),
});
export type HostRow = Readonly<z.output<typeof hostRow>>;

export const listHosts = async (link: DatabaseLink): Promise<readonly HostRow[] | DatabaseTrouble> => {
  const answer = await link.ask(HOSTS);
  return answer.kind === "trouble" ? answer : z.array(hostRow).parse(answer.rows);
};

const OWNER = `
SELECT hosts.name FROM parley.rows JOIN parley.hosts ON hosts.name = body ->> 'host' AND joined IS NOT NULL
WHERE tbl = 'homes' AND key = $1`;
const ownerRow = z.object({ name: z.string() });

export const owningHostOf = async (
  link: DatabaseLink,
  home: HomeId,
): Promise<{ readonly kind: "owner"; readonly name: string | null } | DatabaseTrouble> => {
  const answer = await link.ask(OWNER, [JSON.stringify([home])]);
  if (answer.kind === "trouble") return answer;
  const [row] = z.array(ownerRow).parse(answer.rows);
  return { kind: "owner", name: row?.name ?? null };
};

export const startDraining = async (
  link: DatabaseLink,
  name: string,
): Promise<DatabaseDone | DatabaseTrouble> => {
  const answer = await link.ask("UPDATE parley.hosts SET draining = true WHERE name = $1 RETURNING name", [
    name,
  ]);
  if (answer.kind === "trouble") return answer;
  if (answer.rows.length > 0) return { kind: "done" };
  return { kind: "trouble", why: `There is no host ${name}. Run parley hosts for a list.` };
};
