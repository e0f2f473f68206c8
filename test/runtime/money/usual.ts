/** Budgets in dollars that tests count with, and a book of them over a store. */

import { type Budgets, createBudgets } from "../../../src/runtime/money/budgets.ts";
import { createDays } from "../../../src/runtime/money/days.ts";
import type { Defaults } from "../../../src/runtime/money/scopes.ts";
import type { MicroUsd, Purse } from "../../../src/ports/money.ts";
import { silent } from "../../../src/store/silent.ts";

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
  purse: Purse,
  now: () => number = Date.now,
  steady: () => number = () => performance.now(),
  defaults: Defaults = usual,
  askAbove: MicroUsd | null = DOLLAR,
): Budgets =>
  createBudgets({ purse, days: createDays({ purse, now, steady }), now, defaults, askAbove, log: silent });
