/** What doctor says of budgets: amounts that cannot be meant. */

import { describe, expect, it } from "vitest";
import { budgetFindings } from "../../../src/features/money/findings.ts";
import { moneySettings } from "../../../src/features/money/settings.ts";
import { linesOf } from "../../app/cli/doctor/findings.ts";

describe("budgets", () => {
  const model = {
    name: "m",
    model: { window: () => 0, respond: () => Promise.reject(new Error("not asked")) },
    prices: () => ({ input: 2, output: 10, cacheRead: 0, cacheWrite: 0 }),
    longest: () => 16_384,
  };
  const judged = (env: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    linesOf(budgetFindings(moneySettings.parse(env), model));

  it("are plausible as they are by default", async () => {
    expect(await judged({})).toEqual(["ok budgets: at most $50.00 a day (UTC)"]);
  });

  it("are named where one answer does not fit, where a part is more than the whole, and where there is no whole", async () => {
    expect(await judged({ PARLEY_BUDGET_STRANGER: "0.1" })).toEqual([
      expect.stringMatching(
        /^warning budgets: PARLEY_BUDGET_STRANGER is \$0\.10, but one answer of maximum length may cost \$0\.16 -> Raise the budget/,
      ),
    ]);
    expect(await judged({ PARLEY_BUDGET_CHANNEL: "60" })).toEqual([
      expect.stringMatching(
        /^warning budgets: PARLEY_BUDGET_CHANNEL \(\$60\.00\) is more than PARLEY_BUDGET_DAY \(\$50\.00\) -> /,
      ),
    ]);
    expect(await judged({ PARLEY_BUDGET_DAY: "none" })).toEqual([
      expect.stringMatching(
        /^warning budgets: no daily limit for the spending of this host -> Set PARLEY_BUDGET_DAY/,
      ),
    ]);
  });
});
