/** A host stands by: it keeps its replica up with the database, and takes over when the active host is gone. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Log } from "../../ports/host.ts";
import { SCHEMA } from "../migrations.ts";
import { instant, keepLease, type KeptLease, type Outrun, takeLease } from "./lease.ts";
import { createLink, type FleetSettings, type Link, type LinkTrouble, type Refused } from "./link.ts";
import { createUpkeep, type Upkeep } from "./upkeep.ts";
import type { Standing } from "./push.ts";
import { createRing, type Ring } from "./ring.ts";
import { LOCKS } from "./schema.ts";

export interface Active {
  readonly kind: "active";
  readonly lease: KeptLease;
  readonly standing: Standing;
  /** Of the lease; whoever releases it closes it. */
  readonly session: Link;
}

/** Milliseconds between looks where the database tells nothing. */
const LOOK = 1_000;
/**
 * Milliseconds for which the active host's lock is found free before it counts: it may only have lost its connection,
 * which it opens again at once. Longer where this host has lost its own, too.
 */
const FREE = 300;
const BLIND = 3_000;
/** Looks that find the name of this host taken: the database may not have noticed yet that a process has ended. */
const TWICE = 3;

/** Who is active, and whether it lives; with the news that this host is there. */
const TICK = `
WITH me AS (UPDATE parley.hosts SET seen = clock_timestamp(), applied = $2 WHERE name = $1 AND instance = $3 RETURNING draining)
SELECT epoch, term, seq, owner, schema, importing, until < clock_timestamp() AS "isLate",
  EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS.active} AND objid = epoch
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "isLocked",
  coalesce((SELECT draining FROM me), false) AS draining,
  NOT pg_try_advisory_lock(${LOCKS.name}, hashtext($1)) AND EXISTS (SELECT FROM parley.hosts
    WHERE name = $1 AND instance <> $3 AND seen > clock_timestamp() - interval '5 seconds') AS "isTwice"
FROM parley.lease`;
const REGISTER = `
INSERT INTO parley.hosts VALUES ($1, $4, $2, $3, clock_timestamp(), clock_timestamp(), 0, false)
ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, version = excluded.version, schema = excluded.schema, started = excluded.started,
  seen = excluded.seen, draining = false`;

const tickRow = z.object({
  epoch: z.coerce.number(),
  term: z.string(),
  seq: z.coerce.number(),
  owner: z.string().nullable(),
  schema: z.number(),
  importing: z.string().nullable(),
  isLate: z.boolean(),
  isLocked: z.boolean(),
  draining: z.boolean(),
  /** Another host of this name holds the name's lock, and was there a moment ago. */
  isTwice: z.boolean(),
});
type Tick = z.output<typeof tickRow>;

export interface Host {
  readonly settings: FleetSettings;
  /** Of the database. */
  readonly id: string;
  readonly file: string;
  readonly log: Log;
}

/** Null where the signal came first. */
export const stand = async (host: Host, signal: AbortSignal): Promise<Active | Refused | null> => {
  const ring = createRing(signal);
  let active: KeptLease | null = null;
  const session = createLink(host.settings, {
    listens: () => active === null,
    notified: ring.ring,
    lost: () => void active?.renew(),
  });
  const reading = createLink(host.settings);
  const stood = await looks(host, { session, reading, ring }, signal);
  await reading.close();
  if (stood?.kind !== "active") {
    await session.close();
    return stood;
  }
  active = stood.lease;
  await session.ask("UNLISTEN parley");
  return stood;
};

interface Links {
  readonly session: Link;
  readonly reading: Link;
  readonly ring: Ring;
}

const looks = async (host: Host, links: Links, signal: AbortSignal): Promise<Active | Refused | null> => {
  const { session, ring } = links;
  const { settings, log } = host;
  const replica = createUpkeep(host.file, host.id, links.reading);
  const taking = createTaking(settings.name);
  let isRegistered = false;
  let isTold = false;
  let twice = 0;
  const instance = randomUUID();
  try {
    for (; !signal.aborted; await ring.wait(taking.pause())) {
      const answer = await session.ask(TICK, [settings.name, replica.seq(), instance]);
      if (answer.kind === "trouble") {
        taking.lostSight();
        if (answer.cause === "refused") return { kind: "refused", why: answer.why };
        continue;
      }
      const tick = tickRow.parse(answer.rows[0]);
      twice = tick.isTwice ? twice + 1 : 0;
      if (twice === TWICE) return { kind: "refused", why: namesake(settings.name) };
      if (tick.isTwice) continue;
      isRegistered ||=
        (await session.ask(REGISTER, [settings.name, settings.version, SCHEMA, instance])).kind === "rows";
      const kept = await replica.keepUp(tick);
      if (kept.kind === "refused") return kept;
      if (kept.kind === "trouble" || !taking.isDue(tick)) continue;
      if (tick.importing !== null) {
        if (!isTold) log.warn("an import into the database has not ended; run parley import again");
        isTold = true;
        continue;
      }
      const active = await take(host, session, replica, tick);
      if (active.kind === "active" || active.kind === "refused") return active;
    }
    return null;
  } finally {
    replica.close();
  }
};

const namesake = (name: string): string =>
  `Another host with the name ${name} is running. Set PARLEY_HOST_NAME to another name on one of them.`;

/** When a host takes over. */
const createTaking = (name: string) => {
  let freeSince: number | null = null;
  let isBlindUntil = 0;
  return {
    lostSight: (): void => {
      isBlindUntil = performance.now() + BLIND;
    },
    pause: (): number => (freeSince === null ? LOOK : FREE),
    isDue: ({ owner, isLate, isLocked, draining }: Tick): boolean => {
      const now = performance.now();
      freeSince = isLocked ? null : (freeSince ?? now);
      const isGone = freeSince !== null && now >= Math.max(freeSince + FREE, isBlindUntil);
      return !draining && (owner === null || isLate || isGone || (!isLocked && owner === name));
    },
  };
};

const take = async (
  { settings, log }: Host,
  session: Link,
  replica: Upkeep,
  { epoch, isLocked }: Tick,
): Promise<Active | Refused | LinkTrouble | Outrun> => {
  const asked = instant();
  const given = { name: settings.name, epoch, isFree: !isLocked, isImport: false };
  const taken = await takeLease(session, given);
  if (taken.kind !== "taken") return taken;
  const completed = await replica.complete(session);
  if (completed.kind !== "complete") return completed;
  const complete = completed.standing;
  const lease = keepLease(session, settings.name, taken.standing, asked, (why) =>
    log.error(`this host stands down: ${why}`),
  );
  log.info("this host is active", { epoch: complete.epoch, seq: complete.seq });
  return { kind: "active", standing: complete, lease, session };
};
