/**
 * What becomes of an event: it joins the thread of its matter, begins one, or waits for a bound. Pure.
 *
 * A matter is what shares a fingerprint while it keeps happening; after a quiet while, or a day, it is a new one.
 */

import { DAY, HOUR, type Millis } from "../../machine/id.ts";
import type { MicroUsd } from "../../ports/money.ts";
import type { WatchThread } from "./store/watches.ts";

/** Since its last event. */
const QUIET: Millis = 6 * HOUR;
/** Threads within an hour, where nobody says otherwise. */
export const USUAL_PER_HOUR = 6;
export const MOST_PER_HOUR = 1_000;
/** A day, where nobody says otherwise. */
export const USUAL_BUDGET: MicroUsd = 2_000_000;
/** Events that wait on this host: more are not taken. */
export const MOST_WAITING = 20_000;
/** In a row: then the watch is off. */
export const MOST_FAILURES = 3;

type Verdict =
  | { readonly kind: "begin" }
  | { readonly kind: "wait"; readonly why: "hour" | "money"; readonly until: Millis };

interface Weighed {
  readonly now: Millis;
  /** When each thread of the last hour began, oldest first. */
  readonly begun: readonly Millis[];
  readonly perHour: number;
  readonly money: { readonly most: MicroUsd | null; readonly spent: MicroUsd; readonly renewsAt: Millis };
}

/** Whether what comes now joins the newest thread of its fingerprint. */
export const joinsThread = ({ began, last }: Pick<WatchThread, "began" | "last">, now: Millis): boolean =>
  now - last <= QUIET && now - began <= DAY;

export const verdictOf = ({ now, begun, perHour, money }: Weighed): Verdict => {
  const { most, spent, renewsAt } = money;
  if (most !== null && spent >= most) return { kind: "wait", why: "money", until: renewsAt };
  const oldest = begun.at(-perHour);
  return oldest === undefined || begun.length < perHour || now - oldest >= HOUR
    ? { kind: "begin" }
    : { kind: "wait", why: "hour", until: oldest + HOUR };
};
