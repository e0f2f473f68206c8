/** Whether the budgets can be meant: an answer fits into each, and none is larger than what it is a part of. */

import type { ChosenModel } from "../../host/choose-model.ts";
import type { Config } from "../../host/settings/config.ts";
import { type Finding, ok, warning } from "./finding.ts";

const PARTS = [
  "PARLEY_BUDGET_STRANGER",
  "PARLEY_BUDGET_PERSON",
  "PARLEY_BUDGET_CHANNEL",
  "PARLEY_BUDGET_SERVER",
] as const;

type Budgets = Pick<Config, (typeof PARTS)[number] | "PARLEY_BUDGET_DAY">;

export function* budgetFindings(
  config: Budgets,
  { name, prices, longest }: Pick<ChosenModel, "name" | "prices" | "longest">,
): Generator<Finding> {
  const day = config.PARLEY_BUDGET_DAY;
  const problems = [...tooSmall(config, prices(name).output * longest(name)), ...tooLarge(config)];
  if (day === null) {
    yield warning(
      "budgets",
      "nothing bounds what this host spends in a day",
      "Set PARLEY_BUDGET_DAY to an amount in dollars.",
    );
  }
  yield* problems;
  if (day !== null && problems.length === 0) yield ok("budgets", `at most ${dollars(day)} a day (UTC)`);
}

/** What is not enough for one long answer keeps people from asking at all, or cuts what they get. */
function* tooSmall(config: Budgets, longest: number): Generator<Finding> {
  for (const setting of [...PARTS, "PARLEY_BUDGET_DAY"] as const) {
    const most = config[setting];
    if (most === null || most >= longest) continue;
    yield warning(
      "budgets",
      `${setting} is ${dollars(most)}, and one longest answer may cost ${dollars(longest)}`,
      `Raise it, or make answers shorter with PARLEY_MAX_TOKENS: answers are cut to what is left.`,
    );
  }
}

function* tooLarge(config: Budgets): Generator<Finding> {
  const day = config.PARLEY_BUDGET_DAY;
  for (const setting of PARTS) {
    const most = config[setting];
    if (day === null || most === null || most <= day) continue;
    yield warning(
      "budgets",
      `${setting} (${dollars(most)}) is more than PARLEY_BUDGET_DAY (${dollars(day)})`,
      "One of them can use up the whole host's day: lower it, or raise PARLEY_BUDGET_DAY.",
    );
  }
}

const dollars = (amount: number): string => `$${(amount / 1_000_000).toFixed(2)}`;
