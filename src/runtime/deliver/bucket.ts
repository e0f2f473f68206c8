/**
 * The calls that a connection may make, shared by all its conversations. Questions may empty it, messages leave
 * them a little, and progress leaves the most, so that what matters never waits for what does not. New messages may
 * overdraw it where the platform bounds them otherwise: what changes and shows progress waits until that is earned.
 */

import type { Clock } from "../../ports/host.ts";
import type { Limits } from "../../ports/surface.ts";

/** Lower goes first. */
export type Rank = "question" | "message" | "change" | "status" | "live";

export const RANKS: readonly Rank[] = ["question", "message", "change", "status", "live"];

/** Share of the bucket that must be left when a call of the rank is made. */
const LEAVES: Readonly<Record<Rank, number>> = {
  question: 0,
  message: 0.1,
  change: 0.2,
  status: 0.3,
  live: 0.4,
};

const OVERDRAWS: ReadonlySet<Rank> = new Set<Rank>(["question", "message"]);

/** `earned` is called whenever there is one more. */
export const createBucket = (clock: Clock, limits: Limits, earned: () => void) => {
  let tokens = limits.burst;
  let earning = false;

  const earn = (): void => {
    if (earning || tokens >= limits.burst) return;
    earning = true;
    clock.after(limits.callEvery, () => {
      earning = false;
      tokens += 1;
      earn();
      earned();
    });
  };

  return {
    has: (rank: Rank): boolean =>
      tokens - 1 >= Math.floor(limits.burst * LEAVES[rank]) - (OVERDRAWS.has(rank) ? limits.overdraft : 0),
    take: () => {
      tokens -= 1;
      earn();
    },
  };
};
