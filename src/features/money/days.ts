/**
 * The day for budgets: the UTC day of the clock. Setting the clock never starts a new budget.
 *
 * If the clock is set forward or back, the spending of the old day moves to the new day. No person gets a second budget this
 * way, and no person is locked out, because the moved spending ends with the new day. A steady clock measures how much time has
 * really passed.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import type { Day, SpendingStore } from "../../ports/money.ts";

interface DaysDeps {
  readonly purse: Pick<SpendingStore, "newest" | "carry">;
  readonly now: () => Millis;
  /** Time since a fixed moment, including sleep of the machine. */
  readonly steady: () => Millis;
}

interface SharedDaysDeps extends Omit<DaysDeps, "purse"> {
  readonly purse: Pick<SpendingStore, "carry" | "today">;
  readonly leads: () => boolean;
}

/** Today first, then earlier days of a clock that was set, whose spending counts for today. */
export type Days = () => readonly [Day, ...Day[]];

/** Maximum drift of the two clocks between two calls; after a larger difference, the clock counts as set. */
const TOLERANCE: Millis = 5 * 60_000;

export const createDays = ({ purse, now, steady }: DaysDeps): Days => {
  const start = now();
  let offset = start - steady();
  let today = dayOf(start);
  let taken: readonly Day[] = [];

  const take = (from: readonly Day[]): void => {
    taken = [...new Set([...taken, ...from])].filter((day) => day !== today);
    // If the disk refuses the write, the spending still counts from the rows of the old days.
    if (taken.length > 0) void purse.carry(taken, today);
  };

  const newest = purse.newest();
  if (newest !== null && newest > today) take([newest]);

  return () => {
    const wall = now();
    const wasSet = Math.abs(wall - steady() - offset) > TOLERANCE;
    offset = wall - steady();
    const day = dayOf(wall);
    if (day !== today) {
      const before = [today, ...taken];
      today = day;
      if (wasSet) take(before);
      else taken = [];
    }
    return [today, ...taken];
  };
};

/**
 * The day for several hosts: all use the day that the leader's clock has reached, because their clocks may differ. A new leader
 * with a slower clock keeps that day until its own clock reaches it.
 */
export const createSharedDays = ({ leads, purse, now, steady }: SharedDaysDeps): Days => {
  const known = (): Day | null => purse.today();
  const ledNow = (): Millis => {
    const begun = Date.parse(known() ?? dayOf(now()));
    return begun - now() <= DAY ? Math.max(begun, now()) : now();
  };
  let led: Days | null = null;
  return () => {
    if (!leads()) {
      led = null;
      return [known() ?? dayOf(now())];
    }
    led ??= createDays({ purse: { newest: known, carry: purse.carry }, now: ledNow, steady });
    const days = led();
    if (days[0] !== known()) void purse.carry([], days[0]);
    return days;
  };
};

const dayOf = (at: Millis): Day => new Date(at).toISOString().slice(0, 10);
