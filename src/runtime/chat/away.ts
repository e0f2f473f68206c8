/** The time since which each chat platform has no connection. The operator's alert and `/readyz` show it. */

import type { Millis } from "../../machine/id.ts";
import type { MissingPlatform } from "../../ports/alerts.ts";

/** A shorter loss passes by itself. */
const LONG_AWAY: Millis = 2 * 60_000;

/** `standings` has one entry for each platform that is set up. A call also records losses: each begins at the first call that sees it. */
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
