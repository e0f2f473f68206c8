/** What a person views beside the app: both shapes of each event, and entities that nobody has declared. */

import { expect, it } from "vitest";
import { admitEnvelope } from "../../../../adapters/slack/receive/inbound.ts";
import { readSlackBody } from "../../../../adapters/slack/read/read.ts";

const SELF = { team: "T1", enterprise: null, user: "UBOT", bot: "BBOT", name: "parley" };
const channel = (id: unknown) => ({ type: "slack#/types/channel_id", value: id, team_id: "T1" });
const callback = (event: object, more: object = {}) => ({
  type: "event_callback",
  event_id: "Ev1",
  event,
  ...more,
});
const viewedIn = (context: unknown): unknown => {
  const read = readSlackBody(
    callback({ type: "app_context_changed", user: "U1", channel: "D1", context, event_ts: "1.0" }),
  );
  return read?.kind === "context" ? read.viewed : "no event";
};

it("the first channel counts, alone or as the place of a message", () => {
  expect(viewedIn({ entities: [channel("C1"), channel("C2")] })).toBe("C1");
  const message = {
    type: "slack#/types/message_context",
    value: { message_ts: "1.0", channel_id: "C3" },
  };
  expect(
    viewedIn({ entities: [{ type: "slack#/types/canvas_id", value: "F1" }, message, channel("C1")] }),
  ).toBe("C3");
});

it("an empty context, a missing one and entities of unknown kinds or without a value are no channel", () => {
  for (const context of [
    undefined,
    null,
    {},
    { entities: null },
    { entities: [] },
    { entities: [channel(null), channel(""), { type: "slack#/types/thread_ts", value: "1.0" }, null, "C1"] },
    { entities: [{ type: "slack#/types/message_context", value: { message_ts: "1.0" } }] },
  ]) {
    expect(viewedIn(context), JSON.stringify(context)).toBeNull();
  }
  // A channel behind such entities still counts.
  expect(viewedIn({ entities: [channel(null), { type: "new", value: 1 }, channel("C1")] })).toBe("C1");
});

it("as the reference page shows it, the event is of the person for whom Slack sent it; never of the bot", () => {
  const bare = { type: "app_context_changed", context: { entities: [channel("C1")] } };
  const person = { authorizations: [{ team_id: "T1", user_id: "U1", is_bot: false }] };
  expect(readSlackBody(callback(bare, person))).toEqual({
    kind: "context",
    user: "U1",
    channel: null,
    viewed: "C1",
    at: "Ev1",
  });
  const bot = { authorizations: [{ team_id: "T1", user_id: "UBOT", is_bot: true }] };
  expect(readSlackBody(callback(bare, bot))).toMatchObject({ user: null });
  expect(readSlackBody(callback(bare))).toMatchObject({ user: null });
});

it("two views of a channel are two events, in the order of the person; one that is sent again is the same", () => {
  const ears = {
    self: SELF,
    knows: () => false,
    hears: () => false,
    sees: () => false,
    keeps: () => false,
    stops: () => false,
  };
  const admitted = (id: string) => {
    const body = {
      ...callback({ type: "app_context_changed", context: { entities: [channel("C1")] } }),
      event_id: id,
      authorizations: [{ team_id: "T1", user_id: "U1", is_bot: false }],
    };
    return admitEnvelope(body, ears);
  };
  expect(admitted("Ev1")?.id).toBe(admitted("Ev1")?.id);
  expect(admitted("Ev1")?.id).not.toBe(admitted("Ev2")?.id);
  expect(admitted("Ev2")?.lane).toBe("viewer/U1");
  const nobody = callback({ type: "app_context_changed", context: {} });
  expect(admitEnvelope(nobody, ears)).toBeNull();
});

it("an opened app names its tab; without one the event is of the Messages tab", () => {
  const opened = { type: "app_home_opened", user: "U1", channel: "D1", event_ts: "1.0" };
  expect(readSlackBody(callback({ ...opened, tab: "home" }))).toEqual({
    kind: "opened",
    user: "U1",
    channel: "D1",
    tab: "home",
    viewed: null,
    at: "1.0",
  });
  const context = { entities: [channel("C1")] };
  expect(readSlackBody(callback({ ...opened, tab: "messages", context }))).toMatchObject({
    tab: "messages",
    viewed: "C1",
  });
  expect(readSlackBody(callback(opened))).toMatchObject({ tab: "messages" });
});
