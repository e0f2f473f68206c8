/**
 * Texts about money. A thread may be public, so texts about budgets contain no figures; a person who decides on a turn sees its
 * cost. Pure.
 */

import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/vocabulary.ts";
import { type Account, type MicroUsd, renewal, type Scope } from "../../ports/money.ts";
import type { PlatformForms } from "../../ports/platform-entry.ts";
import { dollars } from "../../text/dollars.ts";
import { storedSentencesText } from "../../thread/failure-text.ts";
import { english, type StoredSentence, storedSentence } from "../../i18n/say.ts";
import { kindOf } from "./scopes.ts";

export const spentFailure = (
  scope: Scope,
  account: Account,
  at: Millis,
  /** Null if the surface is not a chat platform. */
  forms: Pick<PlatformForms, "server"> | null,
): Failure =>
  failureOf("budget", [
    whose(scope, account, forms),
    storedSentence("The budget starts again at 00:00 UTC, in {time}.", { time: { lasts: renewal(at) - at } }),
    remedy(scope, forms),
  ]);

/** Question before a turn that is likely to cost more than `most`. */
export const dearFailure = (likely: MicroUsd, tokens: number, most: MicroUsd): Failure =>
  failureOf("costly", [
    storedSentence(
      "This thread has grown long (about {tokens} tokens): the next answer is likely to cost about {likely}. If an answer costs more than {most}, I ask first.",
      { tokens: 1_000 * Math.round(tokens / 1_000), likely: dollars(likely), most: dollars(most) },
    ),
    CHOICE,
  ]);

/** Question during a turn that has cost more than `most`. */
export const turnFailure = (spent: MicroUsd, most: MicroUsd): Failure =>
  failureOf("costly", [
    storedSentence("This turn has cost {spent}. Above a cost of {most}, I ask before I continue.", {
      spent: dollars(spent),
      most: dollars(most),
    }),
    CHOICE,
  ]);

const CHOICE = storedSentence(
  "Press Go on or write again if the answer is worth the cost, or stop. A new thread costs less.",
  {},
);

const failureOf = (kind: Failure["kind"], sentences: readonly StoredSentence[]): Failure => ({
  kind,
  message: storedSentencesText(sentences, english),
  told: sentences,
  retryAfter: null,
});

export const UNKNOWN_AMOUNT: Failure = {
  kind: "unknown",
  message:
    "The cost of this conversation could not be counted, so the model was not called. The operator finds details in the log.",
  retryAfter: null,
};

const whose = (
  scope: Scope,
  { speaker, surface }: Account,
  forms: Pick<PlatformForms, "server"> | null,
): StoredSentence => {
  switch (kindOf(scope)) {
    case "person":
      return speaker?.name === undefined
        ? storedSentence("Your budget for today is used up.", {})
        : storedSentence("{name}'s budget for today is used up.", { name: speaker.name });
    case "channel":
      return storedSentence("This channel's budget for today is used up.", {});
    case "server":
      if (forms === null) return storedSentence("The {surface}'s budget for today is used up.", { surface });
      return forms.server === "workspace"
        ? storedSentence("This workspace's budget for today is used up.", {})
        : storedSentence("This server's budget for today is used up.", {});
    case "day":
      return storedSentence("This host's budget for today is used up.", {});
  }
};

const remedy = (scope: Scope, forms: object | null): StoredSentence => {
  const kind = kindOf(scope);
  if (kind === "day")
    return storedSentence(
      "Only the operator can raise this budget: in the console, or with PARLEY_BUDGET_DAY.",
      {},
    );
  if (forms === null) return storedSentence("The operator can raise the budget in the console.", {});
  const what = kind === "person" ? "@person" : kind;
  return storedSentence(
    "A host approver can raise the budget with /parley budget {what} DOLLARS. Then try again.",
    {
      what,
    },
  );
};
