/** Budgets as the operator set them, over the rows of the store, and the model that they pay for. */

import type { Ambient } from "../ports/host.ts";
import type { Spending } from "../ports/money.ts";
import { createBudgets } from "../runtime/money/budgets.ts";
import { createDays, createSharedDays } from "../runtime/money/days.ts";
import { createBudgetedModel } from "../runtime/money/budgeted-model.ts";
import { createReservations, createSharedReservations } from "../runtime/money/reservations.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { Config } from "./settings/config.ts";
import { steadyTime } from "./system-clock.ts";

interface MoneyParts extends Ambient {
  readonly purse: Spending;
  /** Of one of several hosts; null: it is alone. */
  readonly host: string | null;
  readonly leads: () => boolean;
}

export const openMoney = (
  config: Config,
  { model, prices, longest }: ChosenModel,
  { purse, clock, log, host, leads }: MoneyParts,
) => {
  const { now } = clock;
  const timed = { purse, now, steady: steadyTime };
  const days = host === null ? createDays(timed) : createSharedDays({ ...timed, leads });
  const counted = { purse, days, log };
  const reservations = host === null ? createReservations(counted) : createSharedReservations(host, counted);
  const defaults = {
    stranger: config.PARLEY_BUDGET_STRANGER,
    person: config.PARLEY_BUDGET_PERSON,
    channel: config.PARLEY_BUDGET_CHANNEL,
    server: config.PARLEY_BUDGET_SERVER,
    day: config.PARLEY_BUDGET_DAY,
  };
  const askAbove = config.PARLEY_ASK_ABOVE;
  const budgets = createBudgets({ purse, days, now, defaults, askAbove, reservations });
  return { budgets, model: createBudgetedModel({ model, budgets, purse, prices, longest, clock }) };
};
