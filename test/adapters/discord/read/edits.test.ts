/** D52 Which updates of a message Discord means as an edit: it sends them for previews, pins, flags and threads, too. */

import { expect, it } from "vitest";
import { admitDispatch, readStoredEvent } from "../../../../adapters/discord/receive/inbound.ts";

const NAMES = {
  isSelf: (id: string) => id === "99",
  user: () => null,
  role: () => null,
  channel: () => null,
};

interface Fields {
  readonly [key: string]: unknown;
}

const message = {
  id: "20",
  channel_id: "10",
  guild_id: "1",
  type: 0,
  content: "why not?",
  author: { id: "7", username: "bob" },
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  edited_timestamp: "2026-01-01T10:00:00.123000+00:00",
};

const updated = (more: Fields = {}, knows = true) =>
  admitDispatch(
    "MESSAGE_UPDATE",
    { ...message, ...more },
    {
      names: NAMES,
      parent: (id) => (id === "10" ? "5" : null),
      answers: () => false,
      isOurs: () => false,
      isForum: () => false,
      knows: () => knows,
      hears: () => false,
      sees: () => false,
      keeps: () => false,
      stops: () => false,
    },
  );

const MENTION = { content: "<@99> why?", mentions: [{ id: "99", username: "parley", bot: true }] };

it("an edit waits for its message, and has the same id when a pin or a preview brings it again", () => {
  const first = updated();
  expect(first).toMatchObject({
    id: "edited/10/20/2026-01-01T10:00:00.123000+00:00",
    lane: "5/10",
    insist: true,
  });
  expect(updated({ pinned: true, embeds: [{ type: "link" }] })?.id).toBe(first?.id);
});

it("a preview, a pin, a flag and a thread of a message that nobody edited are no edit", () => {
  const untouched = { edited_timestamp: null };
  expect(updated({ ...untouched, embeds: [{ type: "link", url: "https://a.example" }] })).toBeNull();
  expect(updated({ ...untouched, pinned: true })).toBeNull();
  expect(updated({ ...untouched, flags: 4 })).toBeNull();
  expect(updated({ ...untouched, thread: { id: "20" } })).toBeNull();
  expect(updated({ edited_timestamp: undefined })).toBeNull();
});

it("an edit in a thread that nobody knows counts if it mentions the bot", () => {
  expect(updated({}, false)).toBeNull();
  expect(updated(MENTION, false)).not.toBeNull();
});

it("edits of bots, of webhooks and of notices of Discord are none", () => {
  expect(updated({ author: { id: "99", username: "parley", bot: true } })).toBeNull();
  expect(updated({ webhook_id: "3" })).toBeNull();
  expect(updated({ type: 21 })).toBeNull();
});

it("an update with the message's id alone is read where its thread is known", () => {
  const part = { author: undefined, content: undefined, type: undefined, mentions: undefined };
  const arrived = updated(part);
  expect(arrived?.lane).toBe("5/10");
  expect(readStoredEvent(arrived?.body)).toMatchObject({ kind: "edited", message: null });
  expect(updated(part, false)).toBeNull();
});

it("a stored edit is read as it came", () => {
  expect(readStoredEvent(updated()?.body)).toMatchObject({
    kind: "edited",
    edit: { id: "20", channel_id: "10", guild_id: "1" },
    message: { content: "why not?" },
  });
});
