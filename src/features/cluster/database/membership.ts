/**
 * Membership of this host among the hosts that write, and how long the membership is certain. A host holds a session lock that
 * ends with its process. The host also renews a lease, which expires if the host is frozen or cut off. If the lock is free or
 * the lease has expired by the database's clock, another host ends the membership; later statements of the ended host change
 * nothing.
 */

import * as z from "zod";
import { SCHEMA } from "../../../store/base/migrations.ts";
import type { DatabaseLink, LinkTrouble } from "./link.ts";
import type { HostStart } from "./push.ts";
import type { Ring } from "./wake-signal.ts";
import { hasLock, LOCKS } from "./schema.ts";

/** Duration of a lease in seconds: a host counts as alive this long after its last renewal. */
export const LASTS = 10;
/**
 * `MEMBERSHIP_INTERVAL`: milliseconds between polls, in case no notification arrives. `UNOWNED`: milliseconds that another
 * host's lock must be free before that host counts as gone. A host that only lost its connection reconnects sooner.
 */
export const MEMBERSHIP_INTERVAL = 1_000;
export const UNOWNED = 300;
/** This host stops trusting its lease by this many milliseconds earlier than the database. */
const MARGIN = 500;

const holds = `clock_timestamp() + interval '${LASTS} seconds'`;
/**
 * Starts a new term with every change of the members, and a group without rows, so that statements sent before match no longer.
 */
export const RAISE = "UPDATE parley.lease SET seq = seq + 1, epoch = epoch + 1, term = gen_random_uuid()";
export const termsStatement = (owner: string): string => `told AS (
  INSERT INTO parley.terms (epoch, term, owner, after) SELECT epoch, term, ${owner}, seq - 1 FROM raised
)`;
/**
 * Runs on each new connection that writes, because a database that lost steps or was reset to an earlier point also lost its
 * connections. A replica that contains the lost steps finds that the term after its own began before them, no matter how many
 * terms followed.
 */
export const NEW_TERM = `
WITH raised AS (${RAISE} RETURNING epoch, term, seq), ${termsStatement("current_setting('application_name')")} SELECT FROM raised`;
const NOTIFY = "pg_notify('parley', seq::text), pg_notify('parley_hosts', '')";

const JOIN = `
WITH raised AS (
  ${RAISE}
  WHERE schema = ${SCHEMA} AND importing IS NULL
    AND EXISTS (SELECT FROM parley.hosts WHERE name = $1 AND instance = $2)
  RETURNING epoch, term, seq
), ${termsStatement("$1")}, joined AS (
  UPDATE parley.hosts SET joined = epoch, until = ${holds} FROM raised WHERE name = $1 AND instance = $2 RETURNING epoch
)
SELECT joined.epoch, ${NOTIFY} FROM joined, raised`;

/** Ends a membership. If `$3` is false, the statement ends only a membership with an expired lease. */
const END = `
WITH raised AS (
  ${RAISE}
  WHERE EXISTS (SELECT FROM parley.hosts WHERE name = $1 AND instance = $2 AND joined IS NOT NULL)
  RETURNING epoch, term, seq
), ${termsStatement("$4")}, ended AS (
  UPDATE parley.hosts SET joined = NULL FROM raised
  WHERE name = $1 AND instance = $2 AND ($3 OR until < clock_timestamp()) RETURNING name
)
SELECT name, ${NOTIFY} FROM ended, raised`;

/** Members in the order in which they joined; the first member leads. */
export const MEMBERS = `coalesce((
  SELECT json_agg(json_build_object('name', name, 'instance', instance, 'isLate', until < clock_timestamp(),
    'isLocked', ${hasLock("name")}) ORDER BY joined) FROM parley.hosts WHERE joined IS NOT NULL), '[]') AS members`;
export const members = z.array(
  z.object({ name: z.string(), instance: z.string(), isLate: z.boolean(), isLocked: z.boolean() }),
);
export type Members = z.output<typeof members>;

/** Renews the lease, and takes the lock again if the connection is new. */
const RENEWAL = `
WITH me AS (
  UPDATE parley.hosts SET seen = clock_timestamp(), until = ${holds}, applied = greatest(applied, $3)
  WHERE name = $1 AND instance = $2 AND joined IS NOT NULL
  RETURNING draining, pg_try_advisory_lock(${LOCKS.name}, hashtext($1))
)
SELECT (SELECT draining FROM me) AS draining, ${MEMBERS}`;

const joinedRow = z.object({ epoch: z.coerce.number() });
const renewedRow = z.object({
  /** Null if this host is no longer a member. */
  draining: z.boolean().nullable(),
  members,
});

/** Null if an import has not ended, or the rows have another schema. */
export const joinHosts = async (
  link: DatabaseLink,
  { name, instance }: HostStart,
): Promise<number | null | LinkTrouble> => {
  const answer = await link.ask(JOIN, [name, instance]);
  if (answer.kind === "trouble") return answer;
  return answer.rows.length === 0 ? null : joinedRow.parse(answer.rows[0]).epoch;
};

/**
 * `isGone`: the host is surely gone, no matter how long its lease lasts. Returns false if the host has renewed its lease or is
 * no longer a member.
 */
export const endMember = async (
  link: DatabaseLink,
  { name, instance }: HostStart,
  isGone: boolean,
  by: string,
): Promise<boolean> => {
  const answer = await link.ask(END, [name, instance, isGone, by]);
  return answer.kind === "rows" && answer.rows.length > 0;
};

interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

export const instant = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

/** Uses the clock that advanced further, because the monotonic clock stops while a machine is suspended. */
const millisSince = ({ monotonic, wall }: Instant): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall);

interface Kept {
  readonly start: HostStart;
  /** Time before the host joined. */
  readonly asked: Instant;
  readonly ring: Ring;
  /** Group that the replica has reached. */
  seq(): number;
  /**
   * Called before each renewal. The returned function receives the members, or null if the database did not answer, and returns
   * whether a member seems to be gone.
   */
  watch(): (members: Members | null) => Promise<boolean>;
  say(why: string): void;
}

/** Renews the lease until it is lost or released. */
export const keepMembership = (link: DatabaseLink, { start, asked, ring, seq, watch, say }: Kept) => {
  const { name, instance } = start;
  const over = Promise.withResolvers<"lost" | "drained">();
  const waiting: ((isHeld: boolean) => void)[] = [];
  let renewed = asked;
  let isOver = false;
  const isHeld = (): boolean => !isOver && millisSince(renewed) < LASTS * 1_000 - MARGIN;
  const settle = (): void => {
    if (isHeld() || isOver) for (const hear of waiting.splice(0)) hear(!isOver);
  };
  const end = (): void => {
    isOver = true;
    ring.ring();
    settle();
  };
  const lose = (why: string): void => {
    if (isOver) return;
    end();
    say(why);
    over.resolve("lost");
  };

  const renew = async (): Promise<number> => {
    if (isOver) return MEMBERSHIP_INTERVAL;
    const from = instant();
    const hear = watch();
    const answer = await link.ask(RENEWAL, [name, instance, seq()]);
    if (isOver) return MEMBERSHIP_INTERVAL;
    if (answer.kind === "trouble") return (await hear(null)) ? UNOWNED : MEMBERSHIP_INTERVAL;
    const { draining, members: there } = renewedRow.parse(answer.rows[0]);
    if (draining === null) {
      lose("another host ended the membership, or the database was restored to an earlier point");
      return MEMBERSHIP_INTERVAL;
    }
    renewed = from;
    settle();
    if (draining) over.resolve("drained");
    return (await hear(there)) ? UNOWNED : MEMBERSHIP_INTERVAL;
  };
  const keep = async (): Promise<void> => {
    for (;;) {
      const pause = await renew();
      if (isOver) return;
      await ring.wait(pause);
    }
  };
  void keep();

  return {
    /** Whether this host is certainly a member now, even if the process was suspended since the last renewal. */
    isHeld,
    /**
     * Resolves with true once the membership is certain, and with false once the membership is over; waits while the database
     * is unavailable.
     */
    held: (): Promise<boolean> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    /** Resolves once: with `lost` if another host ended the membership, with `drained` if this host must hand over. */
    over: over.promise,
    /** Ends the membership after a failure; nothing can be written after this call. */
    lose,
    /** The caller makes sure that all writes are in the database. */
    release: async (): Promise<void> => {
      end();
      await endMember(link, start, true, name);
    },
  };
};
