/** What doctor says of the model and the budgets: a real request against the fake, and amounts that cannot be meant. */

import { describe, expect, it, onTestFinished } from "vitest";
import { budgetFindings, modelsFindings } from "../../../../src/app/cli/doctor/model-finding.ts";
import { chooseModel, modelsOf } from "../../../../src/app/choose-model.ts";
import { createLog } from "../../../../src/app/log.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { createFakeAnthropic } from "../../../fakes/anthropic/fake.ts";
import { configOf, linesOf } from "./findings.ts";

const asked = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const log = createLog("silent", []);
  const blobs = { get: () => Promise.resolve(null) };
  const config = configOf(env);
  const models = await modelsOf(config);
  if (models.kind === "invalid") throw new Error(models.problems.join("; "));
  const chosen = await chooseModel(config, models, { blobs, log, clock: systemClock });
  const [line = ""] = await linesOf(modelsFindings(chosen));
  return line;
};

describe("the model", () => {
  it("is asked, and a wrong key, an unknown model and a dead address each have their remedy", async () => {
    const fake = await createFakeAnthropic();
    onTestFinished(() => fake.close());
    const env = { ANTHROPIC_API_KEY: fake.apiKey, ANTHROPIC_BASE_URL: fake.url };
    fake.script({ content: [{ kind: "text", text: "ok" }] });
    expect(await asked(env)).toBe("ok model: claude-sonnet-5-5 answered");
    expect(await asked({ ...env, ANTHROPIC_API_KEY: "sk-wrong" })).toMatch(
      /^error model: claude-sonnet-5-5: .+ -> Set ANTHROPIC_API_KEY to a key that is valid/,
    );
    expect(await asked({ ...env, PARLEY_MODEL: "claude-sonnet-99" })).toMatch(
      /^error model: claude-sonnet-99: .+ -> Set PARLEY_MODEL to a model that this key may use/,
    );
    expect(await asked({ ...env, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" })).toMatch(
      /^error model: claude-sonnet-5-5: .+ -> Check ANTHROPIC_BASE_URL/,
    );
    expect(fake.violations).toEqual([]);
  });

  it("is the demo where there is no key", async () => {
    expect(await asked({})).toMatch(/^warning model: the scripted demo model -> Set ANTHROPIC_API_KEY/);
  });
});

describe("budgets", () => {
  const model = {
    name: "m",
    prices: () => ({ input: 2, output: 10, cacheRead: 0, cacheWrite: 0 }),
    longest: () => 16_384,
  };
  const judged = (env: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    linesOf(budgetFindings(configOf(env), model));

  it("are plausible as they are by default", async () => {
    expect(await judged({})).toEqual(["ok budgets: at most $50.00 a day (UTC)"]);
  });

  it("are named where one answer does not fit, where a part is more than the whole, and where there is no whole", async () => {
    expect(await judged({ PARLEY_BUDGET_STRANGER: "0.1" })).toEqual([
      expect.stringMatching(
        /^warning budgets: PARLEY_BUDGET_STRANGER is \$0\.10, and one longest answer may cost \$0\.16 -> Raise it/,
      ),
    ]);
    expect(await judged({ PARLEY_BUDGET_CHANNEL: "60" })).toEqual([
      expect.stringMatching(
        /^warning budgets: PARLEY_BUDGET_CHANNEL \(\$60\.00\) is more than PARLEY_BUDGET_DAY \(\$50\.00\) -> /,
      ),
    ]);
    expect(await judged({ PARLEY_BUDGET_DAY: "none" })).toEqual([
      expect.stringMatching(
        /^warning budgets: nothing bounds what this host spends in a day -> Set PARLEY_BUDGET_DAY/,
      ),
    ]);
  });
});
