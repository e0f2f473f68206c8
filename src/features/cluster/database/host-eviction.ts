/** Members watch each other: the first host that notices a dead member ends its membership and updates the shared rows. */

import type { FleetRows } from "../ports/fleet.ts";
import type { DatabaseLink } from "./link.ts";
import { endMember, UNOWNED, type Members } from "./membership.ts";
import type { HostStart } from "./push.ts";

/** Milliseconds after this host lost its connection during which a free lock proves nothing. */
const BLIND = 3_000;

export type LookAfter = ReturnType<typeof createHostEviction>;

export const createHostEviction = (link: DatabaseLink, { name, instance: own }: HostStart) => {
  let freeSince: ReadonlyMap<string, number> = new Map();
  let isBlindUntil = 0;
  return {
    lostSight: (): void => {
      isBlindUntil = performance.now() + BLIND;
    },
    /** Ends dead memberships; returns whether any other member seems to be gone. */
    look: async (members: Members): Promise<boolean> => {
      const now = performance.now();
      const others = members.filter(({ instance }) => instance !== own);
      const free = others.filter(({ isLocked }) => !isLocked);
      freeSince = new Map(free.map(({ instance }) => [instance, freeSince.get(instance) ?? now]));
      for (const one of others) {
        const since = freeSince.get(one.instance);
        const isGone = since !== undefined && now >= Math.max(since + UNOWNED, isBlindUntil);
        if (isGone || one.isLate) await endMember(link, one, isGone, name);
      }
      return freeSince.size > 0;
    },
  };
};

/**
 * Removes hosts from the rows that are no longer members in the database: the host that ended their membership might have died
 * before it updated the rows. The rows are read first, because a host joins the database before the rows contain that host. The
 * returned function reports whether any host was removed.
 */
export const reconcile = (rows: FleetRows): ((members: Members) => Promise<boolean>) => {
  const before = rows.members().map((name) => ({ name, instance: rows.instanceOf(name) ?? "" }));
  return async (members) => {
    const gone = before.filter((one) => !members.some(({ instance }) => instance === one.instance));
    for (const { name, instance } of gone) await rows.leave(name, instance);
    return gone.length > 0;
  };
};

/**
 * Deletes the tombstones of deleted rows, whose keys may name people, once every host has applied the deletion, and all errands
 * older than one hour. A host that was away for longer must rebuild its replica.
 */
export const PRUNE = `
WITH known AS (SELECT min(applied) AS seq FROM parley.hosts WHERE seen > clock_timestamp() - interval '1 hour'), cut AS (
  UPDATE parley.lease SET pruned = known.seq FROM known WHERE pruned < known.seq RETURNING pruned
), old AS (
  DELETE FROM parley.errands WHERE made < clock_timestamp() - interval '1 hour'
)
DELETE FROM parley.rows USING cut WHERE body IS NULL AND rows.seq <= cut.pruned`;
