/** After Retry-After, calls are made one at a time for a while, so that waiting threads do not exceed the limit together. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Budgets } from "./call-budgets.ts";

const CAREFUL: Millis = 30_000;
/** Longest time between two careful calls. */
const SPACING: Millis = 1_000;

type SendRoutes = ReturnType<typeof createRoutes>;

export const createRoutes = (clock: Clock, free: () => void) => {
  const holds = new Map<string, symbol>();
  const careful = new Map<string, Millis>();
  const cancels = new Map<string, () => void>();

  const hold = (route: string, wait: Millis): void => {
    const one = Symbol(route);
    holds.set(route, one);
    clock.after(wait, () => {
      if (holds.get(route) !== one) return;
      holds.delete(route);
      free();
    });
  };

  return {
    held: (route: string): boolean => holds.has(route),
    throttled: (route: string, wait: Millis) => {
      careful.set(route, Math.min(wait, SPACING));
      cancels.get(route)?.();
      cancels.set(
        route,
        clock.after(wait + CAREFUL, () => {
          careful.delete(route);
          cancels.delete(route);
        }),
      );
      hold(route, wait);
    },
    used: (route: string) => {
      const every = careful.get(route);
      if (every !== undefined) hold(route, every);
    },
  };
};

export interface DeliveryLimits {
  readonly routes: SendRoutes;
  readonly budgets: Budgets;
}
