import type { webApi } from "@slack/bolt";
import { expect, test } from "vitest";
import type { FakeSlack } from "../fake.ts";
import { harness, rejection } from "../harness.ts";

const started = async (
  fake: FakeSlack,
  client: webApi.WebClient,
): Promise<{ readonly root: string; readonly place: { readonly channel: string; readonly ts: string } }> => {
  const root = fake.as("alice").say("@parley hello", { channel: "general" }).ts;
  const { ts = "" } = await client.chat.startStream({
    channel: "CGENERAL",
    thread_ts: root,
    recipient_team_id: "T0FAKE",
    recipient_user_id: "UALICE",
  });
  return { root, place: { channel: "CGENERAL", ts } };
};

test("a stream grows, its task cards are updated in place, and stopping completes it", async () => {
  const { fake, client } = await harness();
  const { root, place } = await started(fake, client);
  const task = { type: "task_update", id: "t1", title: "bash" } as const;
  await client.chat.appendStream({ ...place, chunks: [{ ...task, status: "in_progress", details: "ls" }] });
  await client.chat.appendStream({ ...place, markdown_text: "It is " });
  await client.chat.appendStream({ ...place, markdown_text: "fixed." });
  expect(fake.threadAsText("CGENERAL", root)).toMatchInlineSnapshot(`
    "--- from: @alice
    @parley hello
    --- from: parley (bot) (streaming)
    task: bash (in_progress)
    It is fixed.
    "
  `);
  await client.chat.appendStream({ ...place, chunks: [{ ...task, title: "bash ls", status: "complete" }] });
  await client.chat.stopStream({
    ...place,
    blocks: [{ type: "context", elements: [{ type: "mrkdwn", text: "demo" }] }],
  });
  expect(fake.threadAsText("CGENERAL", root)).toMatchInlineSnapshot(`
    "--- from: @alice
    @parley hello
    --- from: parley (bot)
    task: bash ls (complete)
    It is fixed.
    demo
    "
  `);
  expect(await rejection(client.chat.appendStream({ ...place, markdown_text: "more" }))).toMatchObject({
    data: { error: "message_not_in_streaming_state" },
  });
  expect(fake.deliveries.at(-1)?.payload["event"]).toMatchObject({
    subtype: "message_changed",
    message: { text: "It is fixed.", streaming_state: "completed" },
  });
  expect(fake.violations).toEqual([]);
});

test("a stream dies by itself at the end of its lifetime, appends do not prolong it, and it can be edited then", async () => {
  const { fake, client, clock } = await harness({ times: { streamLifetimeMs: 5000 } });
  const { place } = await started(fake, client);
  clock.advance(4999);
  await client.chat.appendStream({ ...place, markdown_text: "a" });
  expect(await rejection(client.chat.update({ ...place, text: "b", blocks: [] }))).toMatchObject({
    data: { error: "streaming_state_conflict" },
  });
  expect(fake.violations.splice(0)).toHaveLength(1);
  clock.advance(1);
  for (const call of [
    client.chat.appendStream({ ...place, markdown_text: "b" }),
    client.chat.stopStream(place),
  ]) {
    expect(await rejection(call)).toMatchObject({ data: { error: "message_not_in_streaming_state" } });
  }
  await client.chat.update({ ...place, text: "b", blocks: [] });
  expect(fake.violations).toEqual([]);
});

test("the person's Stop ends a stream and tells the app", async () => {
  const { fake, client } = await harness();
  const { root, place } = await started(fake, client);
  fake.as("alice").stopStream(place);
  expect(await rejection(client.chat.appendStream({ ...place, markdown_text: "a" }))).toMatchObject({
    data: { error: "stopped_by_user" },
  });
  expect(fake.deliveries.at(-1)?.payload["event"]).toMatchObject({
    type: "agent_session_stopped",
    user: "UALICE",
    thread_ts: root,
    streaming_message_ts: [place.ts],
  });
});

test("a stream needs its recipient in a channel and not in a direct message", async () => {
  const { fake, client } = await harness();
  const root = fake.as("alice").say("@parley hello", { channel: "general" });
  const start = (args: object) =>
    client.apiCall("chat.startStream", { channel: "CGENERAL", thread_ts: root.ts, ...args });
  expect(await rejection(start({}))).toMatchObject({ data: { error: "missing_recipient_team_id" } });
  expect(await rejection(start({ recipient_team_id: "T0FAKE" }))).toMatchObject({
    data: { error: "missing_recipient_user_id" },
  });
  expect(fake.violations.splice(0)).toHaveLength(2);
  const direct = fake.as("alice").say("hello");
  await client.chat.startStream({ channel: direct.channel, thread_ts: direct.ts });
  expect(fake.violations).toEqual([]);
});

test.each([
  ["text of a chunk", (n: number) => ({ markdown_text: "x".repeat(n) }), 12_000, "msg_too_long"],
  [
    "title of a task",
    (n: number) => ({ chunks: [{ type: "task_update", id: "t", title: "x".repeat(n), status: "pending" }] }),
    256,
    "invalid_chunks",
  ],
] as const)("%s: the longest is accepted, one more is refused", async (_name, make, limit, error) => {
  const { fake, client } = await harness();
  const { place } = await started(fake, client);
  await client.apiCall("chat.appendStream", { ...place, ...make(limit) });
  expect(fake.violations).toEqual([]);
  expect(
    await rejection(client.apiCall("chat.appendStream", { ...place, ...make(limit + 1) })),
  ).toMatchObject({
    data: { error },
  });
});

test("the SDK's own streamer works against it", async () => {
  const { fake, client } = await harness();
  const root = fake.as("alice").say("@parley hello", { channel: "general" });
  const streamer = client.chatStream({
    channel: "CGENERAL",
    thread_ts: root.ts,
    recipient_team_id: "T0FAKE",
    recipient_user_id: "UALICE",
  });
  await streamer.append({ markdown_text: "x".repeat(300) });
  await streamer.append({ markdown_text: "y" });
  await streamer.stop();
  const { messages } = await client.conversations.replies({ channel: "CGENERAL", ts: root.ts });
  expect(messages?.[1]?.text).toBe(`${"x".repeat(300)}y`);
});

test("an assistant thread has a status that a message, time or the app itself clears, a title and prompts", async () => {
  const { fake, client, clock } = await harness({ appKind: "assistant" });
  const { channel, ts } = fake.as("alice").openAssistant({ channel: "general" });
  expect(fake.deliveries.at(-1)?.payload["event"]).toMatchObject({
    type: "assistant_thread_started",
    assistant_thread: { user_id: "UALICE", thread_ts: ts, context: { channel_id: "CGENERAL" } },
  });
  const place = { channel_id: channel, thread_ts: ts };
  const status = (text: string) => client.assistant.threads.setStatus({ ...place, status: text });
  const shown = (): string => fake.thread(channel, ts).status;

  await status("thinks");
  expect(shown()).toBe("thinks");
  await client.apiCall("chat.postMessage", { channel, thread_ts: ts, text: "done" });
  expect(shown()).toBe("");
  await status("thinks");
  clock.advance(119_999);
  expect(shown()).toBe("thinks");
  clock.advance(1);
  expect(shown()).toBe("");
  await status("thinks");
  await status("");
  expect(shown()).toBe("");

  await client.assistant.threads.setTitle({ ...place, title: "Broken build" });
  await client.assistant.threads.setSuggestedPrompts({
    ...place,
    prompts: [{ title: "Status", message: "status?" }],
  });
  expect(fake.thread(channel, ts)).toMatchObject({
    title: "Broken build",
    prompts: [{ title: "Status", message: "status?" }],
  });
  expect(
    await rejection(client.assistant.threads.setTitle({ ...place, thread_ts: "1.1", title: "a" })),
  ).toMatchObject({
    data: { error: "invalid_thread_ts" },
  });
  expect(fake.violations).toEqual([]);
});
