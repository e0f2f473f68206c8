/** Daily budgets for each payer, and the cost above which a turn needs confirmation, in millionths of a dollar. */

import { z } from "zod";
import { budget } from "../../settings/kinds.ts";

export const moneySettings = z.object({
  PARLEY_BUDGET_STRANGER: budget.default(500_000),
  PARLEY_BUDGET_PERSON: budget.default(10_000_000),
  PARLEY_BUDGET_CHANNEL: budget.default(10_000_000),
  PARLEY_BUDGET_SERVER: budget.default(10_000_000),
  PARLEY_BUDGET_DAY: budget.default(50_000_000),
  PARLEY_CONFIRM_ABOVE_USD: budget.default(5_000_000),
});

export type MoneySettings = z.infer<typeof moneySettings>;
