import { expect, test } from "vitest";
import { definitionsOf } from "../../shared/definitions.ts";
import { harness, postMessage, rejection } from "../harness.ts";
import { countLimits } from "./limits.ts";
import { contentRequest } from "../schema.ts";
import type { Json } from "../world.ts";

const section = (text: string): Json => ({ type: "section", text: { type: "mrkdwn", text } });
const button = (more: Json = {}): Json => ({
  type: "button",
  text: { type: "plain_text", text: "Approve" },
  action_id: "approve",
  ...more,
});
const actions = (...elements: readonly Json[]): Json => ({ type: "actions", elements });
const x = (length: number): string => "x".repeat(length);

/** Each limit with the longest content that is let through and the shortest that is refused. */
const limits: readonly (readonly [string, (length: number) => readonly Json[], number, string])[] = [
  ["section text", (n) => [section(x(n))], 3000, "invalid_blocks"],
  ["blocks of a message", (n) => Array.from({ length: n }, () => section("a")), 50, "invalid_blocks"],
  [
    "button text",
    (n) => [actions(button({ text: { type: "plain_text", text: x(n) } }))],
    75,
    "invalid_blocks",
  ],
  ["button value", (n) => [actions(button({ value: x(n) }))], 2000, "invalid_blocks"],
  ["action_id", (n) => [actions(button({ action_id: x(n) }))], 255, "invalid_blocks"],
  ["block_id", (n) => [{ ...section("a"), block_id: x(n) }], 255, "invalid_blocks"],
  [
    "elements of actions",
    (n) => [actions(...ids(n).map((id) => button({ action_id: id })))],
    25,
    "invalid_blocks",
  ],
  [
    "header text",
    (n) => [{ type: "header", text: { type: "plain_text", text: x(n) } }],
    150,
    "invalid_blocks",
  ],
  ["fields of a section", (n) => [{ type: "section", fields: ids(n).map(mrkdwn) }], 10, "invalid_blocks"],
  ["text of a field", (n) => [{ type: "section", fields: [mrkdwn(x(n))] }], 2000, "invalid_blocks"],
  ["items of a context", (n) => [{ type: "context", elements: ids(n).map(mrkdwn) }], 10, "invalid_blocks"],
  ["one markdown block", (n) => [{ type: "markdown", text: x(n) }], 12_000, "invalid_blocks"],
  ["markdown blocks together", (n) => [markdown(6000), markdown(n - 6000)], 12_000, "msg_blocks_too_long"],
  ["all blocks together", (n) => [markdown(12_000), section(x(n - 12_000))], 13_200, "msg_blocks_too_long"],
  [
    "rows of a table",
    (n) => [{ type: "table", rows: ids(n).map((text) => [{ type: "raw_text", text }]) }],
    100,
    "invalid_blocks",
  ],
];

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `id${at}`);
const mrkdwn = (text: string): Json => ({ type: "mrkdwn", text });
const markdown = (length: number): Json => ({ type: "markdown", text: x(length) });

test.each(limits)("%s: the longest is accepted, one more is refused", async (_name, make, limit, error) => {
  const { fake, client } = await harness();
  const send = (length: number) =>
    client.apiCall("chat.postMessage", { channel: "CGENERAL", text: "t", blocks: make(length) });

  await send(limit);
  expect(fake.violations).toEqual([]);
  expect(await rejection(send(limit + 1))).toMatchObject({ data: { error } });
  expect(fake.violations).toHaveLength(1);
});

const refusals: readonly (readonly [string, string, Json, Json, string])[] = [
  ["nothing to show", "chat.postMessage", { text: "a" }, { text: " " }, "no_text"],
  [
    "an unknown block",
    "chat.postMessage",
    { blocks: [section("a")] },
    { blocks: [{ type: "setcion" }] },
    "invalid_blocks",
  ],
  [
    "an unknown field",
    "chat.postMessage",
    { blocks: [section("a")] },
    { blocks: [{ ...section("a"), colour: 1 }] },
    "invalid_blocks",
  ],
  [
    "an empty text",
    "chat.postMessage",
    { blocks: [section("a")] },
    { blocks: [section("")] },
    "invalid_blocks",
  ],
  [
    "the same action_id twice",
    "chat.postMessage",
    { blocks: [actions(button(), button({ action_id: "deny" }))] },
    { blocks: [actions(button(), button())] },
    "invalid_blocks",
  ],
  [
    "blocks that are no array",
    "chat.postMessage",
    { blocks: [section("a")] },
    { blocks: { type: "section" } },
    "invalid_blocks_format",
  ],
  [
    "markdown beside text",
    "chat.postMessage",
    { markdown_text: "a" },
    { markdown_text: "a", text: "b" },
    "markdown_text_conflict",
  ],
  [
    "long markdown",
    "chat.postMessage",
    { markdown_text: x(12_000) },
    { markdown_text: x(12_001) },
    "msg_too_long",
  ],
  [
    "nested metadata",
    "chat.postMessage",
    { text: "a", metadata: { event_type: "e", event_payload: { key: "k" } } },
    { text: "a", metadata: { event_type: "e", event_payload: { deep: { deeper: { k: 1 } } } } },
    "invalid_metadata_format",
  ],
];

test.each(refusals)("%s is refused", async (_name, method, allowed, refused, error) => {
  const { fake, client } = await harness();
  await client.apiCall(method, { channel: "CGENERAL", ...allowed });
  expect(fake.violations).toEqual([]);
  expect(await rejection(client.apiCall(method, { channel: "CGENERAL", ...refused }))).toMatchObject({
    code: "slack_webapi_platform_error",
    data: { ok: false, error },
  });
  expect(fake.violations).toHaveLength(1);
});

test("a refused block names its place as Slack does", async () => {
  const { client } = await harness();
  const error = await rejection(
    client.apiCall("chat.postMessage", { channel: "CGENERAL", blocks: [section("a"), section(x(3001))] }),
  );
  expect(error).toMatchObject({
    data: {
      response_metadata: {
        messages: ["[ERROR] must NOT have more than 3000 characters [json-pointer:/blocks/1/text/text]"],
      },
    },
  });
});

test("the lengths that stand in the doc comments of the installed types are all found", async () => {
  const definitions = await definitionsOf(contentRequest);
  expect(countLimits(definitions)).toMatchInlineSnapshot(`130`);
});

test("a method that the fake does not know is answered as Slack does and recorded", async () => {
  const { fake, client } = await harness();
  expect(await rejection(client.apiCall("chat.meMessage", { channel: "CGENERAL", text: "a" }))).toMatchObject(
    {
      data: { error: "unknown_method" },
    },
  );
  expect(fake.violations).toEqual(["unknown method chat.meMessage"]);
});

test("an argument that the method does not have is recorded, one that it has is not", async () => {
  const { fake, client } = await harness();
  await client.apiCall("chat.postMessage", { channel: "CGENERAL", text: "a", unfurl_links: false });
  expect(fake.violations).toEqual([]);
  await client.apiCall("chat.postMessage", { channel: "CGENERAL", text: "a", unfurl: false });
  expect(fake.violations).toEqual(["unknown arguments: unfurl"]);
});

test("an edit is shorter than a post, leaves no blocks unsaid and reaches only the app's own messages", async () => {
  const { fake, client } = await harness();
  const posted = await postMessage(client, { channel: "CGENERAL", text: x(4001) });
  const ts = posted.ts ?? "";
  expect(fake.violations).toEqual([]);
  expect(await rejection(client.chat.update({ channel: "CGENERAL", ts, text: x(4001) }))).toMatchObject({
    data: { error: "msg_too_long" },
  });
  await client.chat.update({ channel: "CGENERAL", ts, text: x(4000) });
  expect(fake.violations).toHaveLength(1);

  await client.apiCall("chat.update", { channel: "CGENERAL", ts, text: "a", blocks: [section("a")] });
  await client.chat.update({ channel: "CGENERAL", ts, text: "b" });
  expect(fake.violations).toHaveLength(2);

  const { ts: foreign } = fake.as("alice").say("mine", { channel: "general" });
  expect(await rejection(client.chat.update({ channel: "CGENERAL", ts: foreign, text: "b" }))).toMatchObject({
    data: { error: "cant_update_message" },
  });
  expect(fake.violations).toHaveLength(3);
});

test("tokens: each method takes its own kind, and says what is wrong with another", async () => {
  const { fake, client } = await harness({ scopes: ["chat:write"] });
  const call = (method: string, token: string): Promise<unknown> =>
    fetch(`${fake.apiUrl}${method}`, { method: "POST", headers: { authorization: `Bearer ${token}` } }).then(
      (r) => r.json(),
    );

  expect(await call("auth.test", fake.botToken)).toMatchObject({
    ok: true,
    user_id: "UPARLEY",
    bot_id: "B0PARLEY",
  });
  expect(await call("apps.connections.open", fake.appToken)).toMatchObject({ ok: true });
  expect(await call("auth.test", "xoxb-other")).toEqual({ ok: false, error: "invalid_auth" });
  expect(fake.violations).toEqual([]);
  expect(await call("apps.connections.open", fake.botToken)).toMatchObject({
    error: "not_allowed_token_type",
  });
  expect(fake.violations).toHaveLength(1);

  await postMessage(client, { channel: "CGENERAL", text: "a" });
  expect(await rejection(client.users.info({ user: "UALICE" }))).toMatchObject({
    data: { error: "missing_scope", needed: "users:read", provided: "chat:write" },
  });
  fake.revoke();
  expect(await call("auth.test", fake.botToken)).toEqual({ ok: false, error: "token_revoked" });
  expect(fake.violations).toHaveLength(1);
});

test("channels: not a member, archived, unknown and private ones are told apart, and none is the program's fault", async () => {
  const { fake, client } = await harness({
    channels: [
      { name: "general" },
      { name: "away", withoutApp: true },
      { name: "secret", isPrivate: true, withoutApp: true },
      { name: "old" },
    ],
  });
  const post = (channel: string) => rejection(postMessage(client, { channel, text: "a" }));
  fake.admin.archive("old");

  expect(await post("CAWAY")).toMatchObject({ data: { error: "not_in_channel" } });
  expect(await post("COLD")).toMatchObject({ data: { error: "is_archived" } });
  expect(await post("CNOWHERE")).toMatchObject({ data: { error: "channel_not_found" } });
  expect(await post("GSECRET")).toMatchObject({ data: { error: "channel_not_found" } });
  await client.conversations.join({ channel: "CAWAY" });
  await postMessage(client, { channel: "CAWAY", text: "here" });
  expect((await client.conversations.info({ channel: "COLD" })).channel).toMatchObject({ is_archived: true });
  expect(fake.violations).toEqual([]);
});

test("a deleted root leaves a tombstone when it has replies; without any, a reply lands in the channel", async () => {
  const { fake, client } = await harness();
  const withReplies = fake.as("alice").say("question", { channel: "general" });
  await postMessage(client, { channel: "CGENERAL", thread_ts: withReplies.ts, text: "first" });
  fake.as("alice").remove(withReplies);
  const next = await postMessage(client, {
    channel: "CGENERAL",
    thread_ts: withReplies.ts,
    text: "second",
  });
  expect(next.message).toMatchObject({ thread_ts: withReplies.ts });
  expect(
    (await client.conversations.replies({ channel: "CGENERAL", ts: withReplies.ts })).messages,
  ).toMatchObject([{ subtype: "tombstone" }, { text: "first" }, { text: "second" }]);

  const alone = fake.as("alice").say("never mind", { channel: "general" });
  fake.as("alice").remove(alone);
  expect(await rejection(client.conversations.replies({ channel: "CGENERAL", ts: alone.ts }))).toMatchObject({
    data: { error: "thread_not_found" },
  });
  const stray = await postMessage(client, { channel: "CGENERAL", thread_ts: alone.ts, text: "too late" });
  expect(stray.message).not.toHaveProperty("thread_ts");
  expect(fake.violations).toEqual([]);

  await postMessage(client, { channel: "CGENERAL", thread_ts: "1.000001", text: "made up" });
  expect(fake.violations).toHaveLength(1);
});
