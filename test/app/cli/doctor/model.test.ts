/** What doctor says of the model: a real request against the fake. */

import { describe, expect, it, onTestFinished } from "vitest";
import { modelsFindings } from "../../../../src/app/cli/doctor/model-finding.ts";
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
    expect(await asked({})).toMatch(
      /^warning model: only the scripted demo model is available -> Set ANTHROPIC_API_KEY/,
    );
  });
});
