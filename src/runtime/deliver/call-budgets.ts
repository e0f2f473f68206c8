/** A growing message leaves enough calls for all final edits, so that a finished answer does not wait for running ones. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Budget } from "../../ports/surface.ts";

export type CallRank = "question" | "message" | "change" | "growth" | "status" | "live";

export const RANKS: readonly CallRank[] = ["question", "message", "change", "growth", "status", "live"];

/** Share of the budget that must remain after a call of the rank. */
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
/** Time for which the remaining calls must last the growing messages. */
const HORIZON: Millis = 10_000;
/** A message that was not edited for this long may be edited, even if other messages need the calls. */
const LONGEST_SHARE: Millis = 5_000;

/** `grows` pays for each edit, `ends` for the final edit or removal. */
export interface GrowthBudget {
  readonly grows: Budget;
  readonly ends: Budget;
}

export type Budgets = ReturnType<typeof createCallBudgets>;

export const createCallBudgets = (clock: Pick<Clock, "after">, earned: () => void) => {
  /** Calls left, for budgets that are not full. */
  const left = new Map<string, number>();
  const growing = new Map<ConversationId, GrowthBudget>();
  const growingOn = new Map<string, number>();
  const endingOn = new Map<string, number>();

  const leftOf = ({ name, burst }: Budget): number => left.get(name) ?? burst;

  const earn = (budget: Budget): void => {
    clock.after(budget.every, () => {
      const now = leftOf(budget) + 1;
      if (now < budget.burst) {
        left.set(budget.name, now);
        earn(budget);
      } else left.delete(budget.name);
      earned();
    });
  };

  const kept = ({ name, burst, every }: Budget, rank: CallRank): number => {
    const share = Math.floor(burst * LEAVES[rank]);
    if (rank !== "growth" && rank !== "live") return share;
    const ends = Math.max(0, (endingOn.get(name) ?? 0) - Math.floor(SOON / every));
    return share + Math.min(Math.floor(burst * MOST_KEPT), ends);
  };

  return {
    has: (rank: CallRank, budget: Budget): boolean => leftOf(budget) - 1 >= kept(budget, rank),
    take: (budget: Budget) => {
      const isFull = !left.has(budget.name);
      left.set(budget.name, leftOf(budget) - 1);
      if (isFull) earn(budget);
    },
    /** Null if the conversation has no growing message. */
    grows: (conversation: ConversationId, now: GrowthBudget | null) => {
      const before = growing.get(conversation);
      if (before !== undefined) {
        count(growingOn, before.grows, -1);
        count(endingOn, before.ends, -1);
        growing.delete(conversation);
      }
      if (now === null) return;
      count(growingOn, now.grows, 1);
      count(endingOn, now.ends, 1);
      growing.set(conversation, now);
    },
    /** Time between two edits of a message that gives all growing messages on the budget the same rate. */
    share: (budget: Budget): Millis => {
      const free = Math.max(0, leftOf(budget) - kept(budget, "growth"));
      const fair = ((growingOn.get(budget.name) ?? 0) * HORIZON) / (free + HORIZON / budget.every);
      return Math.min(LONGEST_SHARE, fair);
    },
  };
};

const count = (on: Map<string, number>, { name }: Budget, by: number): void => {
  const now = (on.get(name) ?? 0) + by;
  if (now === 0) on.delete(name);
  else on.set(name, now);
};
