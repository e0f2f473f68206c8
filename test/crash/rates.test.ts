/**
 * Slack's own rate limits, by the clock that host and workspace share: nothing is lost, order holds, and most calls are not
 * too fast.
 */

import { expect, it } from "vitest";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { createStage } from "./platforms/stage.ts";

it("four threads of one channel at once: each gets all its posts in order, at the channel's pace", async () => {
  const stage = await createStage({ rates: {} }, slackLimits);
  const roots: string[] = [];
  for (const text of ["change", "change", "change", "change"]) roots.push(await stage.say(text));
  await Promise.all(roots.map((root) => stage.click(root, "deny")));
  for (const root of roots) {
    const text = stage.fake.threadAsText("CGENERAL", root);
    const numbers = [...text.matchAll(/Paragraph (\d+):/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(stage.phase(root)).toBe("idle");
  }
  const made = (method: string): number => stage.fake.calls.filter((call) => call.method === method).length;
  const standing = stage.fake.world.messages("CGENERAL").filter(({ botId }) => botId !== undefined).length;
  const refused = made("chat.postMessage") + made("chat.startStream") - made("chat.delete") - standing;
  console.log(`${standing} messages, ${refused} of them too fast`);
  expect(refused).toBeLessThan(standing / 2);
  expect(stage.fake.violations).toEqual([]);
});
