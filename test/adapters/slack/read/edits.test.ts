/** D52 Which changes of a message Slack calls an edit of its author's words. */

import { expect, it } from "vitest";
import { admitEnvelope } from "../../../../adapters/slack/receive/inbound.ts";

const SELF = { team: "T1", enterprise: null, user: "UBOT", bot: "BBOT", name: "parley" };

interface Fields {
  readonly [key: string]: unknown;
}

const message = { type: "message", user: "U1", ts: "2.0", thread_ts: "1.0", text: "why?" };
const EDITED = { user: "U1", ts: "9.000000" };

/** As Slack sends it: `edited` is on the new version alone. */
const changed = (now: Fields, before: Fields = message, knows = true, more: Fields = {}) =>
  admitEnvelope(
    {
      type: "event_callback",
      event: {
        type: "message",
        subtype: "message_changed",
        hidden: true,
        channel: "C1",
        channel_type: "channel",
        ts: "9.5",
        event_ts: "9.5",
        message: now,
        previous_message: before,
        ...more,
      },
    },
    {
      self: SELF,
      knows: () => knows,
      hears: () => false,
      sees: () => false,
      keeps: () => false,
      stops: (text) => text === "stop",
    },
  );

const rewritten = { ...message, text: "why not?", edited: EDITED };

it("an edit of a known thread's message waits for its message, and comes again under the same id", () => {
  expect(changed(rewritten)).toMatchObject({ lane: "C1/1.0", insist: true });
  expect(changed(rewritten)?.id).toMatch(/^edited\/C1\/2\.0\/9\.000000\/[0-9a-f]{16}$/);
  expect(changed(rewritten, message, true, { event_ts: "9.7" })?.id).toBe(changed(rewritten)?.id);
});

it("two edits within one second are two edits", () => {
  expect(changed({ ...rewritten, text: "why so?" })?.id).not.toBe(changed(rewritten)?.id);
});

it("an edit in a thread that nobody knows counts if it mentions the bot", () => {
  expect(changed(rewritten, message, false)).toBeNull();
  expect(changed({ ...rewritten, text: "<@UBOT> why?" }, message, false)).not.toBeNull();
});

it("a mention that an edit adds is an edit, although the words around it stay", () => {
  expect(changed({ ...rewritten, text: "<@UBOT> why?" })).not.toBeNull();
});

it("previews, files and spaces that Slack changes are no edit", () => {
  const preview = { attachments: [{ from_url: "https://a.example", text: "A page" }] };
  expect(changed({ ...message, ...preview })).toBeNull();
  // Of a message that was edited before, each later change has the mark of that edit.
  expect(changed({ ...message, ...preview, edited: EDITED }, { ...message, edited: EDITED })).toBeNull();
  expect(changed({ ...message, edited: EDITED, files: [{ id: "F1", mode: "tombstone" }] })).toBeNull();
  expect(changed({ ...rewritten, edited: undefined })).toBeNull();
});

it("a reply that is also sent to the channel can be edited like any other", () => {
  const broadcast = { ...message, subtype: "thread_broadcast" };
  expect(changed({ ...rewritten, subtype: "thread_broadcast" }, broadcast)).not.toBeNull();
});

it("what somebody else changed is no edit of its author, and neither is a bot's post", () => {
  expect(changed({ ...rewritten, edited: { ...EDITED, user: "UADMIN" } })).toBeNull();
  expect(changed({ ...rewritten, bot_id: "BBOT" })).toBeNull();
});

it("a deletion arrives as a change, too, and stays a deletion", () => {
  const tombstone = { ...message, user: "USLACKBOT", subtype: "tombstone", ts: "2.0" };
  expect(changed(tombstone)?.id).toBe("removed/C1/2.0");
});

it("WS3 a change without its text is read where its thread is known", () => {
  const bare = { type: "message", ts: "2.0", thread_ts: "1.0", text: null };
  expect(changed(bare, bare)).toMatchObject({ id: "edited/C1/2.0/9.5", lane: "C1/1.0" });
  expect(changed(bare, bare, false)).toBeNull();
});

const admitted = (event: Fields) =>
  admitEnvelope(
    { type: "event_callback", event },
    {
      self: SELF,
      knows: () => false,
      hears: () => false,
      sees: () => false,
      keeps: () => false,
      stops: () => false,
    },
  );

it("the mention that Slack sends again with each edit is no second message", () => {
  const mention = { ...message, type: "app_mention", channel: "C1", text: "<@UBOT> why?" };
  expect(admitted({ ...mention, edited: EDITED })).toBeNull();
  expect(admitted(mention)?.id).toBe("message/T1/C1/2.0");
});

it("an edit that stops a turn overtakes what waits in its thread", () => {
  expect(changed({ ...rewritten, text: "stop" })?.lane).toMatch(/^stop\//);
});
