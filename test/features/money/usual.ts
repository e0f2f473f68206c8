/** Budgets in dollars that tests count with, and a book of them over a store. */

import { formsOf } from "../../../src/app/chat/platforms.ts";
import { type BudgetGate, createBudgets } from "../../../src/features/money/budgets.ts";
import { createDays, createSharedDays } from "../../../src/features/money/days.ts";
import { createReservations, createSharedReservations } from "../../../src/features/money/reservations.ts";
import type { Defaults } from "../../../src/features/money/scopes.ts";
import type { MicroUsd, SpendingStore } from "../../../src/ports/money.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";

const DOLLAR = 1_000_000;

export const usual: Defaults = {
  stranger: 0.5 * DOLLAR,
  person: 5 * DOLLAR,
  channel: 8 * DOLLAR,
  server: 10 * DOLLAR,
  day: 50 * DOLLAR,
};

/** One of several hosts. */
export interface Sharing {
  readonly host: string;
  readonly leads: () => boolean;
}

/** `steady`: time that passed, whatever the wall clock says. */
export const openBudgets = (
  purse: SpendingStore,
  now: () => number = Date.now,
  steady: () => number = () => performance.now(),
  defaults: Defaults = usual,
  askAbove: MicroUsd | null = DOLLAR,
  sharing: Sharing | null = null,
): BudgetGate => {
  const timed = { purse, now, steady };
  const days = sharing === null ? createDays(timed) : createSharedDays({ ...timed, leads: sharing.leads });
  const counted = { purse, days, log: silentLog };
  const reservations =
    sharing === null ? createReservations(counted) : createSharedReservations(sharing.host, counted);
  return createBudgets({ purse, days, now, defaults, askAbove, reservations, formsOf });
};
