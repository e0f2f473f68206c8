/** Several models, as people on each chat platform meet them. */

import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../../src/ports/model.ts";
import { textAnswer } from "../runtime/world.ts";
import { inTurn } from "./scenarios.ts";
import { discordStage, slackStage } from "./stage.ts";

const DOWN: ModelOutcome = {
  kind: "failed",
  failure: { kind: "billing", message: "The provider's credit is used up.", retryAfter: null },
};

describe.each([
  ["Slack", slackStage],
  ["Discord", discordStage],
] as const)("on %s", (_, open) => {
  it("Try with NAME lets the other one answer the failed turn, and the line below says who did", async () => {
    const stage = await open({ models: ["test", "spare"], answer: inTurn(DOWN, textAnswer("Five tries.")) });
    stage.say("bob", "@parley Where is the retry policy?");
    await stage.until(/credit is used up[^]*Try again[^]*Try with spare/);
    await stage.click("bob", "Try with spare");
    await stage.until(/Five tries\.[^]*spare/);
    const story = await stage.story();
    expect(story).toMatch(/Five tries\.\n[^]*Restricted · [^\n]* · spare/);
    expect(story).not.toMatch(/\[Try (again|with spare)\]/);
  });

  it("where there is one, nothing names it, and Try again is alone", async () => {
    const stage = await open({ answer: inTurn(DOWN, textAnswer("Five tries.")) });
    stage.say("bob", "@parley Where is the retry policy?");
    await stage.until(/credit is used up[^]*Try again/);
    expect(await stage.story()).not.toContain("Try with");
    await stage.click("bob", "Try again");
    await stage.until(/Five tries\./);
    expect(await stage.story()).not.toMatch(/· (test|spare)/);
  });
});
