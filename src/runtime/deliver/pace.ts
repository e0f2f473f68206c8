/**
 * How often a progress message is changed: no faster than the platform likes or than all streams of the connection
 * share its calls, slower after each throttled try, and not at all after the third (edit storms).
 */

import type { Millis } from "../../core/id.ts";
import type { Clock } from "../ports.ts";
import type { Limits } from "../ports-surface.ts";

/** Throttled edits of one message after which only its final content is brought. */
const STRIKES = 3;
const EASING = 0.8;

export interface Pace {
  /** False while the last change is too fresh. */
  ready(): boolean;
  /** A change was made; `streams` share the connection. */
  made(streams: number): void;
  throttled(key: string): void;
  /** Messages that were throttled too often. */
  readonly finalOnly: ReadonlySet<string>;
  forget(key: string): void;
}

export const createPace = (clock: Clock, limits: Limits, ready: () => void): Pace => {
  const strikes = new Map<string, number>();
  const finalOnly = new Set<string>();
  let interval: Millis = limits.editEvery;
  let waiting = false;

  return {
    ready: () => !waiting,
    made: (streams) => {
      waiting = true;
      interval = Math.max(limits.editEvery, interval * EASING);
      clock.after(Math.max(interval, streams * limits.callEvery), () => {
        waiting = false;
        ready();
      });
    },
    throttled: (key) => {
      interval = Math.min(limits.editAtMost, interval * 2);
      const count = (strikes.get(key) ?? 0) + 1;
      strikes.set(key, count);
      if (count >= STRIKES) finalOnly.add(key);
    },
    finalOnly,
    forget: (key) => {
      strikes.delete(key);
      finalOnly.delete(key);
    },
  };
};
