/**
 * The golden threads: each scenario on each platform as its people read it in the end, with whom each message called.
 * Recorded anew by `npx vitest run test/threads -u`; read them line by line.
 */

import { describe, expect, it } from "vitest";
import { scenarios } from "./scenarios.ts";
import { discordStage, slackStage } from "./stage.ts";

const MARKS = /[◇◆◈◌◎]/;

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  const shared = scenarios.filter(({ only = platform }) => only === platform);
  it.each(shared)("$name reads as people read it", async ({ name, options, beside, play }) => {
    const stage = await open({ ...options, ...(await beside?.()) });
    await play(stage);
    const story = await stage.story();
    expect(story).not.toMatch(MARKS);
    await expect(story).toMatchFileSnapshot(`golden/${name}.${platform}.txt`);
  });
});
