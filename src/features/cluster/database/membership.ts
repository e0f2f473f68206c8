/**
 * That this host is one of those that write, and until when it surely is. A host holds a session lock that ends with its
 * process, and a lease that it renews, for hosts that are frozen or cut off: whoever finds the lock free or the lease run
 * out by the database's clock ends it, and everything that it still sends changes nothing.
 */

import * as z from "zod";
import { SCHEMA } from "../../../store/base/migrations.ts";
import type { DatabaseLink, LinkTrouble } from "./link.ts";
import type { HostStart } from "./push.ts";
import type { Ring } from "./ring.ts";
import { hasLock, LOCKS } from "./schema.ts";

/** Seconds for which a host is taken to be there after it was heard of. */
export const LASTS = 10;
/**
 * Milliseconds between looks where the database tells nothing, and for which another host's lock is found free before it
 * counts: it may only have lost its connection, which it opens again at once.
 */
export const MEMBERSHIP_INTERVAL = 1_000;
export const UNOWNED = 300;
/** Milliseconds by which this host stops being sure before the database does. */
const MARGIN = 500;

const holds = `clock_timestamp() + interval '${LASTS} seconds'`;
/** Every change of who writes is a term of its own, and a group without rows: what was sent before finds another one. */
export const RAISE = "UPDATE parley.lease SET seq = seq + 1, epoch = epoch + 1, term = gen_random_uuid()";
export const termsStatement = (owner: string): string => `told AS (
  INSERT INTO parley.terms (epoch, term, owner, after) SELECT epoch, term, ${owner}, seq - 1 FROM raised
)`;
/**
 * Said by each new connection that writes: a database that lost steps, or was set back, lost its connections with them. A
 * replica that has those steps finds that the term after its own began before them, however many others have come since.
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

/** Unless it was heard of after all, where `$3` is false. */
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

/** As the database has them; the first one leads. */
export const MEMBERS = `coalesce((
  SELECT json_agg(json_build_object('name', name, 'instance', instance, 'isLate', until < clock_timestamp(),
    'isLocked', ${hasLock("name")}) ORDER BY joined) FROM parley.hosts WHERE joined IS NOT NULL), '[]') AS members`;
export const members = z.array(
  z.object({ name: z.string(), instance: z.string(), isLate: z.boolean(), isLocked: z.boolean() }),
);
export type Members = z.output<typeof members>;

/** Takes the lock again, too, where the connection is another one than before. */
const RENEWAL = `
WITH me AS (
  UPDATE parley.hosts SET seen = clock_timestamp(), until = ${holds}, applied = greatest(applied, $3)
  WHERE name = $1 AND instance = $2 AND joined IS NOT NULL
  RETURNING draining, pg_try_advisory_lock(${LOCKS.name}, hashtext($1))
)
SELECT (SELECT draining FROM me) AS draining, ${MEMBERS}`;

const joinedRow = z.object({ epoch: z.coerce.number() });
const renewedRow = z.object({
  /** Null: this host is no member. */
  draining: z.boolean().nullable(),
  members,
});

/** Null: an import has not ended, or the rows are of another schema. */
export const joinHosts = async (
  link: DatabaseLink,
  { name, instance }: HostStart,
): Promise<number | null | LinkTrouble> => {
  const answer = await link.ask(JOIN, [name, instance]);
  if (answer.kind === "trouble") return answer;
  return answer.rows.length === 0 ? null : joinedRow.parse(answer.rows[0]).epoch;
};

/** `isGone`: surely, whatever its lease says. False where it was heard of after all, or is none any more. */
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

/** By whichever clock went further: the monotonic one stands still in a machine that is suspended. */
const millisSince = ({ monotonic, wall }: Instant): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall);

interface Kept {
  readonly start: HostStart;
  /** Before it joined. */
  readonly asked: Instant;
  readonly ring: Ring;
  /** Of the replica. */
  seq(): number;
  /**
   * Before each renewal; what it gives hears who was there then, or null where the database did not answer, and says
   * whether somebody seems to be gone.
   */
  watch(): (members: Members | null) => Promise<boolean>;
  say(why: string): void;
}

/** Renews until it is lost or released. */
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
      lose("another host ended it, or the database was set back to an earlier point");
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
    /** It surely is a member now, whatever became of this process since it was renewed. */
    isHeld,
    /** Waits while the database is away and nobody ended it; false once it is over. */
    held: (): Promise<boolean> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    /** Settles once: another host ended it, or this one is asked to hand over. */
    over: over.promise,
    /** Nothing can be written any more. */
    lose,
    /** Hands over. All that was written is in the database. */
    release: async (): Promise<void> => {
      end();
      await endMember(link, start, true, name);
    },
  };
};
