/** Weeks of digests: from Monday, 00:00 UTC. Pure. */

import { DAY, type Millis } from "../../machine/id.ts";
import type { DigestPeriod } from "./ports.ts";

export const WEEK: Millis = 7 * DAY;
/** 5 January 1970 was a Monday. */
const FIRST: Millis = 4 * DAY;

/** The Monday of the week that contains the moment: `2026-11-23`. */
export const weekOf = (at: Millis): string =>
  new Date(Math.floor((at - FIRST) / WEEK) * WEEK + FIRST).toISOString().slice(0, 10);

/** Null if the text is no day. */
export const spanOf = (week: string): DigestPeriod | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(week)) return null;
  const day = Date.parse(`${week}T00:00:00Z`);
  if (Number.isNaN(day)) return null;
  const from = Date.parse(`${weekOf(day)}T00:00:00Z`);
  return { from, to: from + WEEK };
};
