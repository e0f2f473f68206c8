/** Who can read a thread of Slack: as a message of the last minute says, otherwise as Slack's own answer does. */

import { expect, it } from "vitest";
import { createReadSlackThread } from "../../../../adapters/slack/read/channels.ts";
import { createHeardAudiences } from "../../../../adapters/slack/read/heard-audiences.ts";
import { readSlackBody } from "../../../../adapters/slack/read/read.ts";
import { harness } from "../../../fakes/slack/harness.ts";

const scene = async () => {
  const { fake, client, clock } = await harness({ rates: "off" });
  const audiences = createHeardAudiences(clock);
  const read = createReadSlackThread(client, audiences);
  return {
    fake,
    clock,
    heard: (type: string | undefined, more: object = {}) => {
      const event = { type: "message", channel: "CGENERAL", ts: String(clock.now() / 1_000), ...more };
      const body = readSlackBody({ type: "event_callback", event: { ...event, channel_type: type } });
      if (body?.kind === "message") audiences.heard(body);
    },
    lately: () => read({ place: "CGENERAL", root: "1.0" }, "lately"),
    now: () => read({ place: "CGENERAL", root: "1.0" }),
    asked: () => fake.calls.filter(({ method }) => method === "conversations.info").length,
  };
};

it("a message of the last minute answers without a request", async () => {
  const { heard, lately, asked, clock } = await scene();
  heard("channel");
  expect(await lately()).toEqual({ audience: "public", isArchived: false });
  clock.advance(59_000);
  expect((await lately())?.audience).toBe("public");
  expect(asked()).toBe(0);
  clock.advance(1_000);
  expect((await lately())?.audience).toBe("public");
  expect(asked()).toBe(1);
});

it("the message of a channel that became private makes it private, whatever comes late", async () => {
  const { heard, lately, asked, clock } = await scene();
  heard("channel");
  const before = String(clock.now() / 1_000);
  clock.advance(1_000);
  heard("group", { subtype: "channel_convert_to_private" });
  heard("channel", { ts: before });
  expect(await lately()).toEqual({ audience: "private", isArchived: false });
  expect(asked()).toBe(0);
});

it("Slack is asked where the present state counts, where no message is known, and where a mention has no type", async () => {
  const { heard, lately, now, asked } = await scene();
  await lately();
  heard(undefined);
  await lately();
  heard("channel");
  await now();
  expect(asked()).toBe(3);
});
