/** WS3 The second event of a mention is complete, so Slack is not asked for the post. */

import { expect, it } from "vitest";
import { createMentionTwins } from "../../../../adapters/slack/receive/mention-twins.ts";
import { slackMessage } from "../../../../adapters/slack/read/message.ts";
import type { ReceivedMessage } from "../../../../adapters/slack/read/read.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const event = (isPartial: boolean, ts = "1.0"): ReceivedMessage => ({
  kind: "message",
  channel: "C1",
  isDirect: false,
  isPartial,
  message: slackMessage.parse({ ts, text: isPartial ? "why?" : "why? (whole)" }),
});

const scene = () => {
  const clock = createVirtualClock();
  return { clock, twins: createMentionTwins(clock) };
};

it("an app_mention gets the message event that comes while it waits, and one that came before it was handled", async () => {
  const { twins } = scene();
  twins.heard(event(true));
  const waits = twins.whole(event(true));
  twins.heard(event(false, "2.0"));
  twins.heard(event(false));
  expect((await waits)?.text).toBe("why? (whole)");
  expect((await twins.whole(event(true)))?.text).toBe("why? (whole)");
});

it("an app_mention whose message event does not come soon gets none, and neither does one from before a restart", async () => {
  const { clock, twins } = scene();
  twins.heard(event(true));
  const waits = twins.whole(event(true));
  clock.advance(300);
  expect(await waits).toBeNull();
  expect(await twins.whole(event(true, "3.0"))).toBeNull();
});

it("nothing of a post is kept for longer than a moment", async () => {
  const { clock, twins } = scene();
  twins.heard(event(true));
  twins.heard(event(false));
  clock.advance(10_000);
  expect(await twins.whole(event(true))).toBeNull();
});
