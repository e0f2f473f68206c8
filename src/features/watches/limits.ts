/**
 * Decides whether an event joins an existing thread, starts a thread, or waits for a limit. Pure.
 *
 * Events with the same fingerprint belong to one matter while they keep arriving. After a quiet period, or after a day, the
 * next event starts a new matter.
 */

import { DAY, HOUR, type Millis } from "../../machine/id.ts";
import type { MicroUsd } from "../../ports/money.ts";
import type { WatchThread } from "./store/watches.ts";

/** Quiet period after the last event. */
const QUIET: Millis = 6 * HOUR;
export const USUAL_PER_HOUR = 6;
export const MOST_PER_HOUR = 1_000;
export const USUAL_BUDGET: MicroUsd = 2_000_000;
/** Maximum number of waiting events on this host; further events are refused. */
export const MOST_WAITING = 20_000;
/** Number of consecutive failures after which a watch is switched off. */
export const MOST_FAILURES = 3;

type Verdict =
  | { readonly kind: "begin" }
  | { readonly kind: "wait"; readonly why: "hour" | "money"; readonly until: Millis };

interface Weighed {
  readonly now: Millis;
  /** Start times of the threads of the last hour, oldest first. */
  readonly begun: readonly Millis[];
  readonly perHour: number;
  readonly money: { readonly most: MicroUsd | null; readonly spent: MicroUsd; readonly renewsAt: Millis };
}

/** Whether a new event joins the newest thread with its fingerprint. */
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
