/** Reservations of the maximum cost of requests in flight, so that no other request can use the money. */

import type { Log } from "../../ports/host.ts";
import {
  type ChargedScope,
  type BudgetGrant,
  grantOf,
  type MicroUsd,
  type Scope,
  type SpendingStore,
} from "../../ports/money.ts";
import type { Days } from "./days.ts";

export interface Reservations {
  /** Reserves up to `most`. If less than `least` is left, returns the insufficient budget. */
  reserve(payers: readonly ChargedScope[], least: MicroUsd, most: MicroUsd): Promise<Reserved>;
}

type Reserved =
  | {
      readonly kind: "granted";
      readonly amount: MicroUsd;
      /** Must be called exactly once, after the request. */
      readonly settle: (cost: MicroUsd) => void;
    }
  | Extract<BudgetGrant, { readonly kind: "short" }>
  | { readonly kind: "failed" };

interface ReservationDeps {
  readonly purse: Pick<SpendingStore, "budget" | "spent" | "spend" | "reserve" | "settle">;
  readonly days: Days;
  readonly log: Log;
}

/** Reservations of a single host; they end with its process. */
export const createReservations = ({ purse, days, log }: ReservationDeps): Reservations => {
  const reserved = new Map<Scope, MicroUsd>();

  const change = (scopes: readonly Scope[], amount: MicroUsd): void => {
    for (const scope of scopes) {
      const sum = (reserved.get(scope) ?? 0) + amount;
      if (sum > 0) reserved.set(scope, sum);
      else reserved.delete(scope);
    }
  };

  const leftOf = ({ scope, usual }: ChargedScope): MicroUsd => {
    const most = mostOf(purse, { scope, usual });
    return most === null ? Infinity : most - purse.spent(days(), scope) - (reserved.get(scope) ?? 0);
  };

  const settle = async (scopes: readonly Scope[], held: MicroUsd, cost: MicroUsd): Promise<void> => {
    change(scopes, cost - held);
    if (cost === 0) return;
    const done = await purse.spend(days()[0], scopes, cost);
    if (done.kind === "done") change(scopes, -cost);
    else log.error(UNSTORED, { code: done.code });
  };

  return {
    // Synchronous, so that the next request already sees the reservation.
    reserve: (payers, least, most) => {
      const lefts = payers.map((payer) => ({ scope: payer.scope, left: leftOf(payer) }));
      const granted = grantOf(lefts, least, most);
      if (granted.kind === "short") return Promise.resolve(granted);
      const { amount } = granted;
      const scopes = payers.map(({ scope }) => scope);
      change(scopes, amount);
      return Promise.resolve({ ...granted, settle: (cost) => void settle(scopes, amount, cost) });
    },
  };
};

/** Reservations of one of several hosts: rows that all hosts see, and that end when the host leaves. */
export const createSharedReservations = (
  host: string,
  { purse, days, log }: ReservationDeps,
): Reservations => ({
  reserve: async (payers, least, most) => {
    const day = days()[0];
    const reserved = await purse.reserve({ host, day, payers, least, most });
    if (reserved.kind === "short") return reserved;
    if (reserved.kind === "failed") {
      log.error("money: reservation not stored, request not sent", { code: reserved.code });
      return reserved;
    }
    const { held } = reserved;
    const scopes = payers.map(({ scope }) => scope);
    const settle = async (cost: MicroUsd): Promise<void> => {
      if (held === null && cost === 0) return;
      const done = await purse.settle(host, held, days()[0], scopes, cost);
      if (done.kind === "failed") log.error(UNSTORED, { code: done.code });
    };
    return { ...reserved, settle: (cost) => void settle(cost) };
  },
});

/** The daily budget that was set, or the default; null for no limit. */
export const mostOf = (
  purse: Pick<SpendingStore, "budget">,
  { scope, usual }: ChargedScope,
): MicroUsd | null => {
  const set = purse.budget(scope);
  return set === null ? usual : set.most;
};

const UNSTORED = "money: cost not stored, counted until the process ends";
