/**
 * What people are told about money. What stands in a thread may be read by everybody, so budgets are told without figures;
 * whoever is to say whether a turn may go on needs its own. Pure.
 */

import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/words.ts";
import { type Account, type MicroUsd, renewal, type Scope } from "../../ports/money.ts";
import type { PlatformForms } from "../../ports/platform-entry.ts";
import { dollars } from "../../text/dollars.ts";
import { toldText } from "../../thread/failure-text.ts";
import { english, type Told, told } from "../../i18n/say.ts";
import { kindOf } from "./scopes.ts";

/** Whose budget is spent, when it renews, who can raise it. */
export const spentFailure = (
  scope: Scope,
  account: Account,
  at: Millis,
  /** Null: the surface is no chat platform. */
  forms: Pick<PlatformForms, "server"> | null,
): Failure =>
  failureOf("budget", [
    whose(scope, account, forms),
    told("The budget starts again at 00:00 UTC, in {time}.", { time: { lasts: renewal(at) - at } }),
    remedy(scope, forms),
  ]);

/** A turn that is likely to cost more than `most` waits for a person before it begins. */
export const dearFailure = (likely: MicroUsd, tokens: number, most: MicroUsd): Failure =>
  failureOf("costly", [
    told(
      "This thread has grown long (about {tokens} tokens): the next answer is likely to cost about {likely}, and above {most} I ask first.",
      { tokens: 1_000 * Math.round(tokens / 1_000), likely: dollars(likely), most: dollars(most) },
    ),
    CHOICE,
  ]);

/** The same in the middle of one that has cost more than `most`. */
export const turnFailure = (spent: MicroUsd, most: MicroUsd): Failure =>
  failureOf("costly", [
    told("This turn has cost {spent}, and above {most} I ask first.", {
      spent: dollars(spent),
      most: dollars(most),
    }),
    CHOICE,
  ]);

const CHOICE = told(
  "Press Go on or write again if the answer is worth the cost, or stop. A new thread costs less.",
  {},
);

const failureOf = (kind: Failure["kind"], sentences: readonly Told[]): Failure => ({
  kind,
  message: toldText(sentences, english),
  told: sentences,
  retryAfter: null,
});

export const UNKNOWN: Failure = {
  kind: "unknown",
  message:
    "The cost of this conversation could not be counted, so the model was not called. The operator finds details in the log.",
  retryAfter: null,
};

const whose = (
  scope: Scope,
  { speaker, surface }: Account,
  forms: Pick<PlatformForms, "server"> | null,
): Told => {
  switch (kindOf(scope)) {
    case "person":
      return speaker?.name === undefined
        ? told("Your budget for today is used up.", {})
        : told("{name}'s budget for today is used up.", { name: speaker.name });
    case "channel":
      return told("This channel's budget for today is used up.", {});
    case "server":
      if (forms === null) return told("The {surface}'s budget for today is used up.", { surface });
      return forms.server === "workspace"
        ? told("This workspace's budget for today is used up.", {})
        : told("This server's budget for today is used up.", {});
    case "day":
      return told("This host's budget for today is used up.", {});
  }
};

const remedy = (scope: Scope, forms: object | null): Told => {
  const kind = kindOf(scope);
  if (kind === "day")
    return told("Only the operator can raise this budget: in the console, or with PARLEY_BUDGET_DAY.", {});
  if (forms === null) return told("The operator can raise it in the console.", {});
  const what = kind === "person" ? "@person" : kind;
  return told("An approver can raise it with /parley budget {what} DOLLARS. Then try again.", {
    what,
  });
};
