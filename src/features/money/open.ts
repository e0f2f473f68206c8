import { uptime } from "node:os";
import type { Core } from "../../feature.ts";
import type { PricedModel } from "../../ports/model.ts";
import type { BudgetBook } from "../../ports/money.ts";
import { createBudgetedModel } from "./budgeted-model.ts";
import { createBudgets } from "./budgets.ts";
import { createDays, createSharedDays } from "./days.ts";
import { createReservations, createSharedReservations } from "./reservations.ts";
import type { MoneySettings } from "./settings.ts";

/** Dependencies of the command and the requests. */
export interface MoneyContext extends Pick<Core, "operator"> {
  readonly budgets: BudgetBook;
}

export const openMoney = (
  settings: MoneySettings,
  {
    purse,
    clock,
    log,
    host,
    leads,
    operator,
    formsOf,
  }: Pick<Core, "purse" | "clock" | "log" | "host" | "leads" | "operator" | "formsOf">,
) => {
  const { now } = clock;
  const timed = { purse, now, steady: steadyTime };
  const days = host === null ? createDays(timed) : createSharedDays({ ...timed, leads });
  const counted = { purse, days, log };
  const reservations = host === null ? createReservations(counted) : createSharedReservations(host, counted);
  const defaults = {
    stranger: settings.PARLEY_BUDGET_STRANGER,
    person: settings.PARLEY_BUDGET_PERSON,
    channel: settings.PARLEY_BUDGET_CHANNEL,
    server: settings.PARLEY_BUDGET_SERVER,
    day: settings.PARLEY_BUDGET_DAY,
  };
  const askAbove = settings.PARLEY_CONFIRM_ABOVE_USD;
  const budgets = createBudgets({ purse, days, now, defaults, askAbove, reservations, formsOf });
  const own: MoneyContext = { budgets, operator };
  const wrapModel = (priced: PricedModel) => createBudgetedModel({ ...priced, budgets, purse, clock });
  return { own, budgets, wrapModel };
};

/** Milliseconds since the machine started, including sleep; this clock cannot be set. */
const steadyTime = (): number => Math.round(uptime() * 1_000);
