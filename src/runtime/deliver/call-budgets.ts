/** A growing message leaves enough calls for all final edits, so that a finished answer does not wait for running ones. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Budget } from "../../ports/surface.ts";
import { type EditLimits, growthInterval } from "./pace.ts";

export type CallRank = "question" | "message" | "change" | "growth" | "status" | "live";

export const RANKS: readonly CallRank[] = ["question", "message", "change", "growth", "status", "live"];

/** Share of the budget that must remain after a call of the rank, if the budget pays for more than growth. */
const LEAVES: Readonly<Record<CallRank, number>> = {
  question: 0,
  message: 0.05,
  change: 0.05,
  growth: 0.1,
  status: 0.2,
  live: 0.3,
};

/** Calls that are earned within this time are not reserved for final edits. */
const SOON: Millis = 2_000;
/** Largest share of a budget that is reserved for final edits. */
const MOST_KEPT = 0.5;
/** Time after which a refusal for rate no longer slows growing messages, for each refusal. */
const RECOVERY: Millis = 30_000;
/** Refusals that count: eight times the usual interval. */
const MOST_REFUSALS = 3;

/** `grows` pays for each edit, `ends` for the final edit or removal. */
export interface GrowthBudget {
  readonly grows: Budget;
  readonly ends: Budget;
}

export type Budgets = ReturnType<typeof createCallBudgets>;

export const createCallBudgets = (clock: Clock, earned: () => void) => {
  /** Calls left, for budgets that are not full. */
  const left = new Map<string, number>();
  /** Times at which calls of a moving window are available again, in order. */
  const returns = new Map<string, readonly Millis[]>();
  const refusals = new Map<string, number>();
  const growing = new Map<ConversationId, GrowthBudget>();
  const growingOn = new Map<string, number>();
  const endingOn = new Map<string, number>();

  const leftOf = ({ name, burst }: Budget): number => left.get(name) ?? burst;

  /** One call is available again. */
  const regain = (budget: Budget): void => {
    const now = leftOf(budget) + 1;
    if (now < budget.burst) left.set(budget.name, now);
    else left.delete(budget.name);
    earned();
  };

  const earn = (budget: Budget): void => {
    clock.after(budget.every, () => {
      if (leftOf(budget) + 1 < budget.burst) earn(budget);
      regain(budget);
    });
  };

  const leaveWindow = (budget: Budget, within: Millis): void => {
    returns.set(budget.name, [...(returns.get(budget.name) ?? []), clock.now() + within]);
    clock.after(within, () => {
      returns.set(budget.name, (returns.get(budget.name) ?? []).slice(1));
      regain(budget);
    });
  };

  /** Calls that the budget allows within a time from now, without a reserve. */
  const allowed = (budget: Budget, time: Millis): number => {
    const { name, burst, every, within } = budget;
    if (within === undefined) return leftOf(budget) + time / every;
    if (time >= within) return (burst * time) / within;
    const until = clock.now() + time;
    return leftOf(budget) + (returns.get(name) ?? []).filter((at) => at <= until).length;
  };

  const kept = ({ name, burst, every }: Budget, rank: CallRank): number => {
    const share = Math.floor(burst * LEAVES[rank]);
    if (rank !== "growth" && rank !== "live") return share;
    const ending = endingOn.get(name) ?? 0;
    if (rank === "growth" && ending === 0) return 0;
    const ends = Math.max(0, ending - Math.floor(SOON / every));
    return share + Math.min(Math.floor(burst * MOST_KEPT), ends);
  };

  return {
    has: (rank: CallRank, budget: Budget): boolean => leftOf(budget) - 1 >= kept(budget, rank),
    take: (budget: Budget) => {
      const isFull = !left.has(budget.name);
      left.set(budget.name, leftOf(budget) - 1);
      if (budget.within !== undefined) leaveWindow(budget, budget.within);
      else if (isFull) earn(budget);
    },
    /** The platform refused a call for its rate. */
    refused: ({ name }: Pick<Budget, "name">) => {
      if ((refusals.get(name) ?? 0) >= MOST_REFUSALS) return;
      count(refusals, name, 1);
      clock.after(RECOVERY * (refusals.get(name) ?? 1), () => count(refusals, name, -1));
    },
    /** Null if the conversation has no growing message. */
    grows: (conversation: ConversationId, now: GrowthBudget | null) => {
      const before = growing.get(conversation);
      if (before !== undefined) {
        count(growingOn, before.grows.name, -1);
        count(endingOn, before.ends.name, -1);
        growing.delete(conversation);
      }
      if (now === null) return;
      count(growingOn, now.grows.name, 1);
      count(endingOn, now.ends.name, 1);
      growing.set(conversation, now);
    },
    /** Time until a growing message may change again. `since`: start of its growth; now if absent. */
    interval: (budget: Budget, limits: EditLimits, since: Millis = clock.now()): Millis =>
      growthInterval(
        {
          budget,
          lasts: clock.now() - since,
          growing: Math.max(1, growingOn.get(budget.name) ?? 0),
          free: (within) => allowed(budget, within) - kept(budget, "growth"),
          refusals: refusals.get(budget.name) ?? 0,
        },
        limits,
      ),
  };
};

const count = (on: Map<string, number>, name: string, by: number): void => {
  const now = (on.get(name) ?? 0) + by;
  if (now === 0) on.delete(name);
  else on.set(name, now);
};
