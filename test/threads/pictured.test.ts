/**
 * The payloads behind the pages' pictures, as the adapters posted them. Recorded again by
 * `npx vitest run test/threads -u`; `npm run reference` then draws them.
 */

import { describe, expect, it } from "vitest";
import { pictured } from "./pictured.ts";
import { discordStage, type Payload, slackStage } from "./stage.ts";

/** Ids that differ from run to run, and that no picture shows. */
const HIDDEN = new Set(["block_id", "custom_id", "value", "id", "action_id", "task_id"]);

/** The payloads as JSON, without anything that differs from run to run. */
const recorded = (payloads: readonly Payload[]): string =>
  JSON.stringify(
    payloads,
    (key, value: unknown) =>
      HIDDEN.has(key) || (key === "details" && isDuration(value)) ? undefined : value,
    1,
  )
    .replaceAll(/<!date\^[^>]*>|<t:\d+:[tf]>/g, "10:24")
    .replaceAll(/\b[\d.,]+ s\b/g, "12 s")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://forge.example")
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, (commit) => "abc1234567".repeat(4).slice(0, commit.length))
    .concat("\n");

/** Only a step that took a second or more says how long, so a busy machine adds one. */
const isDuration = (details: unknown): boolean => /"text":"[\d.,]+ s"/.test(JSON.stringify(details));

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  const shared = pictured.filter(({ only = platform }) => only === platform);
  it.each(shared)("$name is posted as the picture shows it", async ({ name, options, beside, play }) => {
    const stage = await open({ ...options, ...(await beside?.()) });
    await play(stage);
    await stage.story();
    await expect(recorded(stage.payloads())).toMatchFileSnapshot(`golden/pictured/${name}.${platform}.json`);
  });
});
