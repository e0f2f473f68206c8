/** Keeps the replica of a host up to date until the host may join the hosts that write. */

import * as z from "zod";
import type { Log } from "../../../ports/host.ts";
import { SCHEMA } from "../../../store/base/migrations.ts";
import { type FleetSettings, type DatabaseLink, linkRefusal } from "./link.ts";
import type { LookAfter } from "./host-eviction.ts";
import {
  endMember,
  UNOWNED,
  instant,
  joinHosts,
  MEMBERSHIP_INTERVAL,
  MEMBERS,
  members,
} from "./membership.ts";
import { positionRow, type HostStart } from "./push.ts";
import type { Ring } from "./wake-signal.ts";
import { LOCKS } from "./schema.ts";
import { createStandbySync } from "./standby-sync.ts";

/**
 * Number of checks in a row that must find another host of this name. A single check proves nothing: the database might not
 * have noticed yet that an earlier process has ended.
 */
const TWICE = 3;

/** Records that this host is alive, and reads the state of the database and any obstacle to joining. */
const TICK = `
WITH me AS (UPDATE parley.hosts SET seen = clock_timestamp(), applied = $2 WHERE name = $1 AND instance = $3 RETURNING draining)
SELECT epoch, term, seq, schema, importing IS NOT NULL AS "isImporting",
  ${MEMBERS}, coalesce((SELECT draining FROM me), false) AS draining,
  NOT pg_try_advisory_lock(${LOCKS.name}, hashtext($1)) AND EXISTS (SELECT FROM parley.hosts
    WHERE name = $1 AND instance <> $3 AND seen > clock_timestamp() - interval '5 seconds') AS "isTwice"
FROM parley.lease`;
const REGISTER = `
INSERT INTO parley.hosts VALUES ($1, $4, $2, $3, clock_timestamp(), clock_timestamp(), 0, false)
ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, version = excluded.version, schema = excluded.schema, started = excluded.started,
  seen = excluded.seen, applied = 0, draining = false`;

const tickRow = z.object({
  ...positionRow,
  schema: z.number(),
  isImporting: z.boolean(),
  members,
  draining: z.boolean(),
  /** Whether another host of this name holds the lock of the name and was seen within the last 5 seconds. */
  isTwice: z.boolean(),
});
type Tick = z.output<typeof tickRow>;

export interface Host {
  readonly settings: FleetSettings;
  /** Id of the database. */
  readonly id: string;
  readonly file: string;
  readonly log: Log;
}

interface Joins {
  /** This connection holds the lock of the host's name while it is open. */
  readonly session: DatabaseLink;
  readonly start: HostStart;
  readonly lookAfter: LookAfter;
  readonly ring: Ring;
}

/** Null if the signal came first. */
export const joinDatabase = async (
  { settings: { name, version }, id, file, log }: Host,
  { session, start, lookAfter, ring }: Joins,
  signal: AbortSignal,
) => {
  const replica = createStandbySync(file, id, session);
  const tell = createTell(log);
  let isRegistered = false;
  let twice = 0;
  try {
    for (let pause = MEMBERSHIP_INTERVAL; !signal.aborted; await ring.wait(pause)) {
      const asked = instant();
      const answer = await session.ask(TICK, [name, replica.standing().seq, start.instance]);
      if (answer.kind === "trouble") {
        lookAfter.lostSight();
        if (answer.cause === "refused") return linkRefusal(answer.why);
        tell(answer.why);
        continue;
      }
      const tick = tickRow.parse(answer.rows[0]);
      twice = tick.isTwice ? twice + 1 : 0;
      if (twice === TWICE) return linkRefusal(namesake(name));
      if (tick.isTwice) continue;
      // Ends the membership of an earlier start of this host, whose lock is free.
      const before = tick.members.find((one) => one.name === name);
      if (before !== undefined) await endMember(session, before, true, name);
      pause = (await lookAfter.look(tick.members)) ? UNOWNED : MEMBERSHIP_INTERVAL;
      isRegistered ||= (await session.ask(REGISTER, [name, version, SCHEMA, start.instance])).kind === "rows";
      const kept = await replica.keepUp(tick);
      if (kept?.kind === "refused") return kept;
      if (kept !== null || !isRegistered || tell(keptFrom(tick)) || tick.draining) continue;
      if (tick.schema !== SCHEMA) {
        if ((await replica.upgrade()) === null) ring.ring();
        continue;
      }
      const epoch = await joinHosts(session, start);
      if (typeof epoch !== "number") continue;
      const standing = replica.standing();
      log.info("cluster: host active", { epoch, seq: standing.seq });
      return {
        kind: "entered" as const,
        epoch,
        standing,
        /** Time before the host became a member. */
        asked,
      };
    }
    return null;
  } finally {
    replica.close();
  }
};

const namesake = (name: string): string =>
  `Another host with the name ${name} is running. Set PARLEY_HOST_NAME to another name on one of the two hosts.`;

/** Logs each reason against joining once; returns false if no reason is left. */
const createTell = (log: Log) => {
  let said = "";
  return (why: string): boolean => {
    if (why !== "" && why !== said) log.warn("cluster: host not joined", { why });
    said = why;
    return why !== "";
  };
};

const keptFrom = ({ isImporting, schema, members: there }: Tick): string => {
  if (isImporting) return "an import into the database is unfinished; run parley import again";
  return schema !== SCHEMA && there.length > 0
    ? "hosts of an older version are active; this host joins when they have stopped"
    : "";
};
