import type { DoctorCore } from "../../feature.ts";
import { findingAbout, type Finding } from "../../ports/finding.ts";
import type { MoneySettings } from "./settings.ts";

const BUDGETS = findingAbout("budgets");

const AMOUNTS = [
  "PARLEY_BUDGET_STRANGER",
  "PARLEY_BUDGET_PERSON",
  "PARLEY_BUDGET_CHANNEL",
  "PARLEY_BUDGET_SERVER",
  "PARLEY_BUDGET_DAY",
] as const;

type Budgets = Pick<MoneySettings, (typeof AMOUNTS)[number]>;

/** Checks whether the budgets are plausible: each covers an answer, and none exceeds the budget that contains it. */
export function* budgetFindings(
  config: Budgets,
  { name, prices, longest }: NonNullable<DoctorCore["model"]>,
): Generator<Finding> {
  const day = config.PARLEY_BUDGET_DAY;
  const answer = prices(name).output * longest(name);
  if (day === null) {
    yield BUDGETS.warning(
      "no daily limit for the spending of this host",
      "Set PARLEY_BUDGET_DAY to an amount in dollars.",
    );
  }
  const problems = [...amountFindings(config, answer)];
  yield* problems;
  if (day !== null && problems.length === 0) yield BUDGETS.ok(`at most ${dollars(day)} a day (UTC)`);
}

/** A budget below the cost of one long answer blocks people or cuts their answers. */
function* amountFindings(config: Budgets, answer: number): Generator<Finding> {
  const day = config.PARLEY_BUDGET_DAY ?? Number.POSITIVE_INFINITY;
  for (const setting of AMOUNTS) {
    const most = config[setting];
    if (most !== null && most < answer) {
      yield BUDGETS.warning(
        `${setting} is ${dollars(most)}, but one answer of maximum length may cost ${dollars(answer)}`,
        "Raise the budget, or shorten answers with PARLEY_MAX_TOKENS; answers are cut to the remaining budget.",
      );
    }
    if (most !== null && most > day) {
      yield BUDGETS.warning(
        `${setting} (${dollars(most)}) is more than PARLEY_BUDGET_DAY (${dollars(day)})`,
        "Lower this budget, or raise PARLEY_BUDGET_DAY; otherwise one person, channel or server can use up the budget of the host.",
      );
    }
  }
}

const dollars = (amount: number): string => `$${(amount / 1_000_000).toFixed(2)}`;
