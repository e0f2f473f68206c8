/**
 * Which day it is for budgets: the UTC day of the clock, but never a day whose budget was not waited for.
 *
 * A clock that is set, forwards or backwards, takes what was spent under its old time along: nobody gets a second
 * budget by it, and what it took along ends with the day that it says now, so nobody is locked out either. How long
 * really passed is told by a clock that nobody sets.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import type { Day, SpendingStore } from "../../ports/money.ts";

interface DaysDeps {
  readonly purse: Pick<SpendingStore, "newest" | "carry">;
  readonly now: () => Millis;
  /** Real time since some moment, sleep of the machine included. */
  readonly steady: () => Millis;
}

interface SharedDaysDeps extends Omit<DaysDeps, "purse"> {
  readonly purse: Pick<SpendingStore, "carry" | "today">;
  readonly leads: () => boolean;
}

/** Today first; then days of the clock's old time, which count to it. */
export type Days = () => readonly [Day, ...Day[]];

/** Two clocks drift apart by less than this between two looks, unless one was set. */
const TOLERANCE: Millis = 5 * 60_000;

export const createDays = ({ purse, now, steady }: DaysDeps): Days => {
  const start = now();
  let offset = start - steady();
  let today = dayOf(start);
  let taken: readonly Day[] = [];

  const take = (from: readonly Day[]): void => {
    taken = [...new Set([...taken, ...from])].filter((day) => day !== today);
    // Where the disk refuses, what was spent still counts, from the rows of its old days.
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
 * The same where several hosts spend: it is the day that the clock of the one that leads has brought, for all of them, so that
 * their clocks may differ. One who leads and is not there yet goes on with that day until it is.
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
