/** When a request counts as silent, and when only the process was. */

import { describe, expect, it } from "vitest";
import { createWatchdog } from "../../src/model/watchdog.ts";
import type { Clock } from "../../src/ports/host.ts";
import { createManualClock } from "../runtime/world.ts";

const LIMIT = 90_000;

/** A clock of a process that may be stopped: what became due meanwhile fires when it goes on, what is set then later. */
const createStoppable = () => {
  let now = 0;
  let timers: { readonly at: number; readonly fire: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after: (delay, fire) => {
      const timer = { at: now + delay, fire };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
  return {
    clock,
    /** Time passes, and then timers fire once. */
    stopFor: (pause: number): void => {
      now += pause;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { fire } of due) fire();
    },
  };
};

const begin = (clock: Clock) => createWatchdog(clock, new AbortController().signal, LIMIT);

describe("the watchdog", () => {
  it("ends a request that says nothing for exactly the limit, from the beginning and after each word", () => {
    const clock = createManualClock();
    const watchdog = begin(clock);
    clock.advance(LIMIT - 1);
    expect(watchdog.expired()).toBe(false);
    watchdog.heard();
    clock.advance(LIMIT - 1);
    expect(watchdog.signal.aborted).toBe(false);
    clock.advance(1);
    expect([watchdog.expired(), watchdog.signal.aborted]).toEqual([true, true]);
    watchdog.end();
    expect(clock.pending()).toBe(0);
  });

  it("takes a limit of its own for what comes next, also a short one", () => {
    const clock = createManualClock();
    const watchdog = begin(clock);
    watchdog.heard(10);
    clock.advance(9);
    expect(watchdog.expired()).toBe(false);
    clock.advance(1);
    expect(watchdog.expired()).toBe(true);
  });

  it("reads first what came while the process was stopped", () => {
    const { clock, stopFor } = createStoppable();
    const watchdog = begin(clock);
    stopFor(10 * LIMIT);
    watchdog.heard();
    stopFor(LIMIT / 2);
    expect(watchdog.expired()).toBe(false);
  });

  it("and ends the request soon where nothing came", () => {
    const { clock, stopFor } = createStoppable();
    const watchdog = begin(clock);
    stopFor(10 * LIMIT);
    expect(watchdog.expired()).toBe(false);
    stopFor(1_000);
    expect(watchdog.expired()).toBe(true);
  });

  it("leaves no timer behind, whenever it is let go", () => {
    const clock = createManualClock();
    for (const waited of [0, LIMIT - 500]) {
      const watchdog = begin(clock);
      clock.advance(waited);
      watchdog.end();
      expect(clock.pending()).toBe(0);
    }
  });
});
