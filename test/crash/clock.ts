/** A clock that stands still until it is told to go to the next timer. */

import type { Clock } from "../../src/ports/host.ts";

export interface StepClock extends Clock {
  /** Fires the next timer that is at most `horizon` ms away; false where there is none. */
  step(horizon: number): boolean;
  /** What the wall clock says changes by so much; no time passes. */
  jump(by: number): void;
}

export const createStepClock = (): StepClock => {
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  let now = Date.UTC(2026, 0, 1);
  let off = 0;
  return {
    now: () => now + off,
    after: (delay, fire) => {
      const timer = { at: now + delay, fire };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    jump: (by) => {
      off += by;
    },
    step: (horizon) => {
      const [next] = [...timers].toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > now + horizon) return false;
      timers.delete(next);
      now = Math.max(now, next.at);
      next.fire();
      return true;
    },
  };
};
