/**
 * The calls that a connection may make, by what the platform counts together, shared by all its conversations. Questions may
 * empty a budget, messages leave them a little, and progress leaves the most, so that what matters never waits for what
 * does not. A message that grows also leaves what the ends of all that grow will take: an answer that is over is not held up by those that go on.
 */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Budget } from "../../ports/surface.ts";

/** Lower goes first. */
export type CallRank = "question" | "message" | "change" | "growth" | "status" | "live";

export const RANKS: readonly CallRank[] = ["question", "message", "change", "growth", "status", "live"];

/** Share of the budget that must be left when a call of the rank is made. */
const LEAVES: Readonly<Record<CallRank, number>> = {
  question: 0,
  message: 0.05,
  change: 0.05,
  growth: 0.1,
  status: 0.2,
  live: 0.3,
};

/** What is earned so soon is not kept for ends. */
const SOON: Millis = 2_000;
/** The most of a budget that is. */
const MOST_KEPT = 0.5;
/** For how long what is left has to last those that grow. */
const HORIZON: Millis = 10_000;
/** Whoever has not been changed for so long waits for its turn, whatever the others want. */
const LONGEST_SHARE: Millis = 5_000;

/** Of a message that grows: what each change of it spends, and what its end does. */
export interface GrowthBudget {
  readonly grows: Budget;
  readonly ends: Budget;
}

export type Budgets = ReturnType<typeof createCallBudgets>;

/** `earned` is called whenever there is one more. */
export const createCallBudgets = (clock: Pick<Clock, "after">, earned: () => void) => {
  /** What is left of those that are not full. */
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
    /** The conversation has a message that grows; null: it has none any more. */
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
    /** Time between two changes of a message so that all that grow on the budget have as many. */
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
