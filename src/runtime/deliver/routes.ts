/** Routes that asked us to wait, until they may be tried again (Retry-After). */

import type { Millis } from "../../core/id.ts";
import type { Clock } from "../ports.ts";

export interface Routes {
  held(route: string): boolean;
  hold(route: string, wait: Millis): void;
}

/** `free` is called when a route may be used again. */
export const createRoutes = (clock: Clock, free: () => void): Routes => {
  const holds = new Map<string, symbol>();
  return {
    held: (route) => holds.has(route),
    hold: (route, wait) => {
      const hold = Symbol(route);
      holds.set(route, hold);
      clock.after(wait, () => {
        if (holds.get(route) !== hold) return;
        holds.delete(route);
        free();
      });
    },
  };
};
