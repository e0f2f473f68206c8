/** Limits of first looks and of the threads that they begin, for a watch and for each author. Pure. */

import { HOUR, type Millis, type PersonId } from "../../../machine/id.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { FirstLook } from "../store/first-looks.ts";

export const USUAL_POSTS_PER_HOUR = 60;
export const MOST_POSTS_PER_HOUR = 1_000;
export const USUAL_LOOK_BUDGET: MicroUsd = 1_000_000;

/** Part of each limit that one author may use. */
const AUTHOR_SHARE = 1 / 3;

export type PostBound = "posts" | "threads" | "looks" | "money" | "author";

interface Weighed {
  readonly now: Millis;
  /** Begin of the day of budgets. */
  readonly today: Millis;
  readonly author: PersonId;
  /** Looks since the begin of the day, and at least of the last hour. */
  readonly looks: readonly Pick<FirstLook, "at" | "author" | "cost" | "decision">[];
  /** Posts that wait for a look. */
  readonly waiting: { readonly all: number; readonly author: number };
  readonly postsPerHour: number;
  readonly threadsPerHour: number;
  /** Start times of the watch's threads in the last hour. */
  readonly begun: readonly Millis[];
  readonly lookBudget: MicroUsd | null;
  /** Highest price of one look. */
  readonly price: MicroUsd;
  readonly answers: { readonly most: MicroUsd | null; readonly spent: MicroUsd; readonly author: MicroUsd };
}

/** Returns the limit that leaves the post out; null if the post may be read. */
export const boundOf = (weighed: Weighed): PostBound | null => {
  const { now, today, author, looks, waiting, begun, lookBudget, price, answers } = weighed;
  const lately = looks.filter(({ at }) => at > now - HOUR);
  const own = lately.filter((one) => one.author === author);
  const paid = looks.filter(({ at }) => at >= today);
  const spent = costOf(paid) + waiting.all * price + price;
  const ownSpent = costOf(paid.filter((one) => one.author === author)) + waiting.author * price + price;
  const { postsPerHour, threadsPerHour } = weighed;
  if (lately.length + waiting.all >= postsPerHour) return "posts";
  if (begun.length >= threadsPerHour) return "threads";
  if (lookBudget !== null && spent > lookBudget) return "looks";
  if (answers.most !== null && answers.spent >= answers.most) return "money";
  const isTooMuch =
    own.length + waiting.author >= shareOf(postsPerHour) ||
    own.filter(({ decision }) => decision.kind === "look").length >= shareOf(threadsPerHour) ||
    (lookBudget !== null && ownSpent > lookBudget * AUTHOR_SHARE + price) ||
    (answers.most !== null && answers.author >= answers.most * AUTHOR_SHARE);
  return isTooMuch ? "author" : null;
};

const shareOf = (most: number): number => Math.max(1, Math.ceil(most * AUTHOR_SHARE));

const costOf = (looks: readonly Pick<FirstLook, "cost">[]): MicroUsd =>
  looks.reduce((sum, { cost }) => sum + cost, 0);
