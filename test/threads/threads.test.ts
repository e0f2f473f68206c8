/**
 * The golden threads: each scenario on each platform as its people read it in the end, with whom each message called. A
 * scenario in the real sandbox is on one of the platforms, as the commit chooses (`TEST_WHOLE=1`: on both).
 * Recorded anew by `npx vitest run test/threads -u`; read them line by line.
 */

import { describe, expect, it } from "vitest";
import { isAll, isInSample } from "../sample.ts";
import { scenarios } from "./scenarios.ts";
import { discordStage, slackStage } from "./stage.ts";

const MARKS = /[◇◆◈◌◎]/;

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  const isMine = (name: string): boolean => isAll || isInSample(name, 2) === (platform === "slack");
  const shared = scenarios.filter(
    ({ only = platform, name, isSandboxed }) =>
      only === platform && (isSandboxed === undefined || isMine(name)),
  );
  it.each(shared)("$name reads as people read it", async ({ name, options, beside, play }) => {
    const stage = await open({ ...options, ...(await beside?.()) });
    await play(stage);
    const story = await stage.story();
    expect(story).not.toMatch(MARKS);
    await expect(story).toMatchFileSnapshot(`golden/${name}.${platform}.txt`);
  });
});
