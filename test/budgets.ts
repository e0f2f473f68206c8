/** Budgets of a host whose day alone is bound, for tests that send no requests. */

import { type BudgetBook, NO_BUDGETS, type SpendingStore } from "../src/ports/money.ts";

export const dayBudget = (purse: SpendingStore, now: () => number, most = 50_000_000): BudgetBook => ({
  ...NO_BUDGETS,
  overview: () => {
    const spent = purse.spent([new Date(now()).toISOString().slice(0, 10)], "day");
    return { renewsAt: 0, standings: [{ scope: "day", usual: most, most, spent, isSet: false }] };
  },
});
