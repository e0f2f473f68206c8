/** Reports posts that a limit left out: once to the operator, with their number, and again only after an hour. */

import { HOUR, type Millis } from "../../../machine/id.ts";
import type { AlertFacts } from "../../../ports/alerts.ts";
import type { Clock } from "../../../ports/host.ts";
import type { PostBound } from "./bounds.ts";

/** Time in which posts are counted before the report. */
const GATHER: Millis = 60_000;

interface LeftOutDeps {
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  readonly clock: Pick<Clock, "after">;
}

export const createLeftOut = ({ alert, clock }: LeftOutDeps) => {
  const counted = new Map<string, { count: number; bound: PostBound }>();
  const timers = new Set<() => void>();

  const later = (delay: Millis, does: () => void): void => {
    const cancel = clock.after(delay, () => {
      timers.delete(cancel);
      does();
    });
    timers.add(cancel);
  };

  const report = (watch: string): void => {
    const found = counted.get(watch);
    if (found !== undefined) alert(keyOf(watch), { kind: "postsLeft", watch, ...found });
  };

  const endAfterHour = (watch: string): void =>
    later(HOUR, () => {
      counted.delete(watch);
      alert(keyOf(watch), null);
    });

  return {
    count: (watch: string, bound: PostBound): void => {
      const known = counted.get(watch);
      if (known !== undefined) {
        known.count += 1;
        return;
      }
      counted.set(watch, { count: 1, bound });
      later(GATHER, () => report(watch));
      endAfterHour(watch);
    },
    /** A report of an earlier process ends an hour after the start. */
    start: (watches: readonly string[]): void => watches.forEach(endAfterHour),
    close: (): void => {
      for (const watch of counted.keys()) report(watch);
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
};

const keyOf = (watch: string): string => `postsLeft ${watch}`;
