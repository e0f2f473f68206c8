/** Members look after each other: one that is gone is ended by whoever notices first, and the rows that all have say so. */

import type { FleetRows } from "../ports/fleet.ts";
import type { DatabaseLink } from "./link.ts";
import { endMember, UNOWNED, type Members } from "./membership.ts";
import type { HostStart } from "./push.ts";

/** Milliseconds for which no free lock counts after this host has lost its own connection. */
const BLIND = 3_000;

export type LookAfter = ReturnType<typeof createHostEviction>;

export const createHostEviction = (link: DatabaseLink, { name, instance: own }: HostStart) => {
  let freeSince: ReadonlyMap<string, number> = new Map();
  let isBlindUntil = 0;
  return {
    lostSight: (): void => {
      isBlindUntil = performance.now() + BLIND;
    },
    /** Answers whether somebody seems to be gone. */
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
 * Members in the rows that are none in the database leave: whoever ended them may have died before it said so. A host joins
 * there before the rows have it: they are read first. What is given answers whether one left.
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
 * Forgets deleted rows, whose keys may name people, once every host knows that they are gone, and what became of no errand.
 * A host that was away for longer makes its replica anew.
 */
export const PRUNE = `
WITH known AS (SELECT min(applied) AS seq FROM parley.hosts WHERE seen > clock_timestamp() - interval '1 hour'), cut AS (
  UPDATE parley.lease SET pruned = known.seq FROM known WHERE pruned < known.seq RETURNING pruned
), old AS (
  DELETE FROM parley.errands WHERE made < clock_timestamp() - interval '1 hour'
)
DELETE FROM parley.rows USING cut WHERE body IS NULL AND rows.seq <= cut.pruned`;
