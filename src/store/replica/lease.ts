/**
 * That one host writes, and until when it surely may. A host holds a session lock that ends with its process, and a lease
 * that it renews, for hosts that are frozen or cut off: whoever finds the lock free or the lease run out by the
 * database's clock takes over with a new epoch, and everything that the one before still sends changes nothing.
 */

import * as z from "zod";
import type { Link, LinkTrouble } from "./link.ts";
import type { Standing } from "./push.ts";
import { prune } from "./prune.ts";
import { LOCKS } from "./schema.ts";

/** Seconds that the lease lasts, and milliseconds between renewals. */
const LASTS = 10;
const RENEW = 2_000;
/** Renewals after which deleted rows are forgotten again. */
const PRUNE_AFTER = 30;
/** Milliseconds by which this host stops being sure before the database does. */
const MARGIN = 500;

const holds = `clock_timestamp() + interval '${LASTS} seconds'`;

const TAKE = `
WITH taken AS (
  UPDATE parley.lease SET owner = $1, epoch = epoch + 1, term = gen_random_uuid(), until = ${holds}
  WHERE epoch = $2 AND ($3 OR owner IS NULL OR until < clock_timestamp()) AND (importing IS NULL OR $4)
  RETURNING epoch, term, seq
), told AS (
  INSERT INTO parley.terms (epoch, term, owner, after) SELECT epoch, term, $1, seq FROM taken
)
SELECT epoch, term, seq FROM taken`;
/** Takes the locks again, too, where the connection is another one than before. */
const RENEWAL = `
WITH me AS (
  UPDATE parley.hosts SET seen = clock_timestamp(), applied = lease.seq FROM parley.lease WHERE name = $3 RETURNING draining
)
UPDATE parley.lease SET until = ${holds} WHERE epoch = $1 AND term = $2 AND owner = $3
RETURNING coalesce((SELECT draining FROM me), false) AS draining,
  pg_try_advisory_lock(${LOCKS.active}, epoch::int), pg_try_advisory_lock(${LOCKS.name}, hashtext($3))`;
const RELEASE =
  "UPDATE parley.lease SET owner = NULL, until = now() WHERE epoch = $1 AND term = $2 AND owner = $3";

const takenRow = z.object({ epoch: z.coerce.number(), term: z.string(), seq: z.coerce.number() });
const renewedRow = z.object({ draining: z.boolean() });

export interface Taking {
  readonly name: string;
  readonly epoch: number;
  /** The host that has it was seen to be gone. */
  readonly isFree: boolean;
  readonly isImport: boolean;
}

export type Outrun = { readonly kind: "outrun" };

/** `outrun`: somebody else was faster. */
export const takeLease = async (
  link: Link,
  { name, epoch, isFree, isImport }: Taking,
): Promise<{ readonly kind: "taken"; readonly standing: Standing } | LinkTrouble | Outrun> => {
  const locked = await link.ask(`SELECT 1 WHERE pg_try_advisory_lock(${LOCKS.active}, $1)`, [epoch + 1]);
  if (locked.kind === "trouble") return locked;
  if (locked.rows.length === 0) return OUTRUN;
  const taken = await link.ask(TAKE, [name, epoch, isFree, isImport]);
  if (taken.kind === "rows" && taken.rows.length > 0)
    return { kind: "taken", standing: takenRow.parse(taken.rows[0]) };
  await link.ask(`SELECT pg_advisory_unlock(${LOCKS.active}, $1)`, [epoch + 1]);
  return taken.kind === "trouble" ? taken : OUTRUN;
};

const OUTRUN: Outrun = { kind: "outrun" };

export interface KeptLease {
  /** It surely holds now, whatever became of this process since it was renewed. */
  isHeld(): boolean;
  /** Waits while the database is away and nobody took over; false once it is over. */
  held(): Promise<boolean>;
  /** Settles once: another host has it, or this one is asked to hand over. */
  readonly over: Promise<"lost" | "drained">;
  /** Before its time, where the connection and the lock with it was lost. */
  renew(): Promise<void>;
  /** Nothing can be written any more. */
  lose(why: string): void;
  /** Hands over. All that was written is in the database. */
  release(): Promise<void>;
}

export interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

export const instant = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

/** By whichever clock went further: the monotonic one stands still in a machine that is suspended. */
const millisSince = ({ monotonic, wall }: Instant): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall);

/** Renews until it is lost or released. `asked`: before it was taken. */
export const keepLease = (
  link: Link,
  name: string,
  { epoch, term }: Standing,
  asked: Instant,
  say: (why: string) => void,
): KeptLease => {
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
    clearInterval(timer);
    settle();
  };
  const lose = (why: string): void => {
    if (isOver) return;
    end();
    say(why);
    over.resolve("lost");
  };

  let isAsking = false;
  let renewals = 0;
  const renew = async (): Promise<void> => {
    if (isAsking || isOver) return;
    isAsking = true;
    const from = instant();
    const answer = await link.ask(RENEWAL, [epoch, term, name]);
    isAsking = false;
    if (answer.kind === "trouble" || isOver) return;
    if (answer.rows.length === 0)
      return lose("another host took over, or the database was set back to an earlier point");
    renewed = from;
    settle();
    if (renewedRow.parse(answer.rows[0]).draining) over.resolve("drained");
    renewals += 1;
    if (renewals % PRUNE_AFTER === 1) await prune(link, { epoch, term });
  };
  const timer = setInterval(() => void renew(), RENEW);
  timer.unref();

  return {
    isHeld,
    held: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    over: over.promise,
    renew,
    lose,
    release: async () => {
      end();
      await link.ask(RELEASE, [epoch, term, name]);
      await link.ask("SELECT pg_notify('parley', '')");
    },
  };
};
