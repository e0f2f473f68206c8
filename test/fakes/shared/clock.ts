/** The time a fake lives by: the machine's, or one that only the test moves. */

export interface FakeClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Fires once, `delay` milliseconds from now. Returns the way to cancel it. */
  after(delay: number, fire: () => void): () => void;
}

export interface VirtualClock extends FakeClock {
  /** Moves the time on; whatever falls due on the way fires in order, each at its own time, before this returns. */
  advance(milliseconds: number): void;
}

/** Timers do not keep the process alive. */
export const realClock: FakeClock = {
  now: Date.now,
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const createVirtualClock = (start = Date.UTC(2026, 11, 1, 9)): VirtualClock => {
  interface Timer {
    readonly at: number;
    readonly fire: () => void;
  }
  let now = start;
  const timers = new Set<Timer>();
  const nextBefore = (end: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];

  return {
    now: () => now,
    after: (delay, fire) => {
      const timer = { at: now + delay, fire };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (let next = nextBefore(end); next !== undefined; next = nextBefore(end)) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.fire();
      }
      now = end;
    },
  };
};
