/** Records since when each chat platform has no connection, for the operator's alert and `/readyz`. */

import type { Millis } from "../../machine/id.ts";
import type { MissingPlatform } from "../../ports/alerts.ts";

/** Shorter losses usually end without action. */
const LONG_AWAY: Millis = 2 * 60_000;

/** `standings` has one entry per configured platform. A loss begins at the first call that observes it. */
export const createAway = (now: () => Millis, standings: () => Readonly<Record<string, string>>) => {
  const since = new Map<string, Millis>();
  return (): readonly MissingPlatform[] => {
    const at = now();
    return Object.entries(standings()).flatMap(([surface, standing]) => {
      if (!isAway(standing)) {
        since.delete(surface);
        return [];
      }
      const began = since.get(surface) ?? at;
      since.set(surface, began);
      return [{ surface, since: began, isLong: at - began >= LONG_AWAY }];
    });
  };
};

const isAway = (standing: string): boolean =>
  standing === "connecting" || standing === "reconnecting" || standing.startsWith("off: ");
