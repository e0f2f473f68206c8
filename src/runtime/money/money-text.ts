/**
 * What people are told about money. What stands in a thread may be read by everybody, so budgets are told without figures;
 * whoever is to say whether a turn may go on needs its own. Pure.
 */

import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/words.ts";
import { durationText } from "../../thread/durations.ts";
import type { Account, MicroUsd, Scope } from "../../ports/money.ts";
import { renewal } from "./days.ts";
import { kindOf } from "./scopes.ts";

/** Whose budget is spent, when it renews, who can raise it. */
export const spentFailure = (scope: Scope, account: Account, at: Millis): Failure => ({
  kind: "budget",
  message: [
    `${whose(scope, account)} budget for today is used up.`,
    `It starts again at 00:00 UTC, in ${durationText(renewal(at) - at)}.`,
    remedy(scope, account),
  ].join(" "),
  retryAfter: null,
});

/** A turn that is likely to cost more than `most` waits for a person before it begins. */
export const dearFailure = (likely: MicroUsd, tokens: number, most: MicroUsd): Failure =>
  costly(
    `This thread has grown long (about ${Math.round(tokens / 1_000).toLocaleString("en-US")},000 tokens): the next answer is likely to cost about ${dollars(likely)}`,
    most,
  );

/** The same in the middle of one that has cost more than `most`. */
export const turnFailure = (spent: MicroUsd, most: MicroUsd): Failure =>
  costly(`This turn has cost ${dollars(spent)}`, most);

const costly = (why: string, most: MicroUsd): Failure => ({
  kind: "costly",
  message: `${why}, and above ${dollars(most)} I ask first. Go on, or write again, if it is worth that, or stop. A new thread costs less.`,
  retryAfter: null,
});

export const UNKNOWN: Failure = {
  kind: "unknown",
  message:
    "What this conversation costs could not be counted, so the model was not asked. The operator finds more in the log.",
  retryAfter: null,
};

const whose = (scope: Scope, { speaker, surface }: Account): string => {
  switch (kindOf(scope)) {
    case "person":
      return speaker?.name === undefined ? "Your" : `${speaker.name}'s`;
    case "channel":
      return "This channel's";
    case "server":
      return SERVERS[surface] ?? `The ${surface}'s`;
    case "day":
      return "This host's";
  }
};

const SERVERS: Readonly<Record<string, string>> = { slack: "This workspace's", discord: "This server's" };

const remedy = (scope: Scope, { surface }: Account): string => {
  const kind = kindOf(scope);
  if (kind === "day") return "Only the operator can raise it: in the console, or with PARLEY_BUDGET_DAY.";
  if (surface !== "slack" && surface !== "discord") return "The operator can raise it in the console.";
  const what = kind === "person" ? "@person" : kind;
  return `Whoever may approve here can raise it: /parley budget ${what} DOLLARS. Then try again.`;
};

/** `$12.50`; below a cent with its figures. */
export const dollars = (amount: MicroUsd): string => {
  const value = amount / 1_000_000;
  return `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;
};
