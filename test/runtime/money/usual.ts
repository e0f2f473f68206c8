/** Budgets in dollars that tests count with, and a book of them over a store. */

import { type Budgets, createBudgets } from "../../../src/runtime/money/budgets.ts";
import { createDays } from "../../../src/runtime/money/days.ts";
import type { Defaults } from "../../../src/runtime/money/scopes.ts";
import type { MicroUsd, Spending } from "../../../src/ports/money.ts";
import { silentLog } from "../../../src/store/silent-log.ts";

const DOLLAR = 1_000_000;

export const usual: Defaults = {
  stranger: 0.5 * DOLLAR,
  person: 5 * DOLLAR,
  channel: 8 * DOLLAR,
  server: 10 * DOLLAR,
  day: 50 * DOLLAR,
};

/** `steady`: time that passed, whatever the wall clock says. */
export const openBudgets = (
  purse: Spending,
  now: () => number = Date.now,
  steady: () => number = () => performance.now(),
  defaults: Defaults = usual,
  askAbove: MicroUsd | null = DOLLAR,
): Budgets =>
  createBudgets({ purse, days: createDays({ purse, now, steady }), now, defaults, askAbove, log: silentLog });
