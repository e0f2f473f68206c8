import { expect, test } from "vitest";
import { harness, rejection } from "../harness.ts";

const thread = { channel_id: "CGENERAL" };
const refusedAs = (error: string) => ({ data: { error } });

test("an agent's session has the title and the initiator of its first call, and a button that only tells the app", async () => {
  const { fake, client } = await harness();
  const alice = fake.as("alice");
  const { ts } = alice.say("@parley hello", { channel: "general" });
  const at = { ...thread, thread_ts: ts };
  expect(() => alice.stopSession({ channel: "CGENERAL", ts })).toThrow("has no Stop");
  expect(await rejection(client.agents.sessions.rename({ ...at, title: "a" }))).toMatchObject(
    refusedAs("not_authorized"),
  );
  expect(
    await client.agents.sessions.setStatus({
      ...at,
      status: "processing",
      title: "api: why",
      initiator_user_id: "UALICE",
    }),
  ).toMatchObject({ status: "processing", agent_status: "processing", title: "api_ why" });
  await client.agents.sessions.setStatus({
    ...at,
    status: "suspended",
    title: "other",
    initiator_user_id: "UBOB",
  });
  expect(fake.session("CGENERAL", ts)).toMatchObject({
    status: "suspended",
    title: "api_ why",
    initiator: "UALICE",
  });
  await client.agents.sessions.rename({ ...at, title: "api: why" });
  await client.agents.sessions.setStatus({ ...at, status: "processing" });
  alice.stopSession({ channel: "CGENERAL", ts });
  expect(fake.deliveries.at(-1)?.payload["event"]).toMatchObject({
    type: "agent_session_stopped",
    user: "UALICE",
    thread_ts: ts,
    streaming_message_ts: [],
  });
  expect(fake.session("CGENERAL", ts)).toMatchObject({ status: "processing", title: "api: why" });
  expect(fake.violations).toEqual([]);
});

test("streams and the status line change a session too, and processing ends by itself after an hour", async () => {
  const { fake, client, clock } = await harness();
  const { ts } = fake.as("alice").say("@parley hello", { channel: "general" });
  const at = { ...thread, thread_ts: ts };
  const status = () => fake.session("CGENERAL", ts)?.status;
  await client.assistant.threads.setStatus({ ...at, status: "thinks" });
  expect(status()).toBe("processing");
  await client.assistant.threads.setStatus({ ...at, status: "" });
  expect(status()).toBe("active");
  const recipient = { recipient_team_id: "T0FAKE", recipient_user_id: "UALICE" };
  const begin = () => client.chat.startStream({ channel: "CGENERAL", thread_ts: ts, ...recipient });
  const one = await begin();
  expect(status()).toBe("processing");
  await client.chat.stopStream({ channel: "CGENERAL", ts: one.ts ?? "", session_status: "suspended" });
  expect(status()).toBe("suspended");
  const two = await begin();
  await client.chat.stopStream({ channel: "CGENERAL", ts: two.ts ?? "" });
  expect(status()).toBe("active");
  await client.agents.sessions.setStatus({ ...at, status: "processing" });
  clock.advance(60 * 60_000 - 1);
  expect(status()).toBe("processing");
  clock.advance(1);
  expect(status()).toBe("active");
  expect(fake.violations).toEqual([]);
});

test("only an agent has sessions and prompts without a thread; an agent's prompts with one go nowhere", async () => {
  const prompts = [{ title: "Status", message: "status?" }];
  for (const [appKind, error] of [
    ["assistant", "not_agent_app"],
    ["plain", "not_authorized"],
  ] as const) {
    const { fake, client } = await harness({ appKind });
    const { channel, ts } = fake.as("alice").say("hello");
    const at = { channel_id: channel, thread_ts: ts };
    expect(await rejection(client.agents.sessions.setStatus({ ...at, status: "active" }))).toMatchObject(
      refusedAs(error),
    );
    expect(
      await rejection(client.assistant.threads.setSuggestedPrompts({ channel_id: channel, prompts })),
    ).toMatchObject(refusedAs("not_agent_app"));
    await client.assistant.threads.setSuggestedPrompts({ ...at, prompts });
    expect(fake.thread(channel, ts).prompts).toEqual(prompts);
    expect(fake.session(channel, ts)).toBeUndefined();
  }
  const { fake, client } = await harness();
  const { channel, ts } = fake.as("alice").say("hello");
  await client.assistant.threads.setSuggestedPrompts({ channel_id: channel, thread_ts: ts, prompts });
  expect(fake.thread(channel, ts).prompts).toEqual([]);
  await client.assistant.threads.setSuggestedPrompts({ channel_id: channel, prompts });
  expect(fake.thread(channel, "").prompts).toEqual(prompts);
  expect(() => fake.as("alice").openAssistant()).toThrow("has a panel");
});

test("a missing subscription is a warning, a stranger as initiator and a missing thread are refusals", async () => {
  const { fake, client } = await harness({ events: ["app_mention"] });
  const { ts } = fake.as("alice").say("@parley hello", { channel: "general" });
  const at = { ...thread, thread_ts: ts };
  expect(await client.agents.sessions.setStatus({ ...at, status: "active" })).toMatchObject({
    warning: "missing_agent_session_stopped_event_subscription",
  });
  expect(
    await rejection(
      client.agents.sessions.setStatus({ ...at, status: "active", initiator_user_id: "UNOBODY" }),
    ),
  ).toMatchObject(refusedAs("user_not_found"));
  expect(
    await rejection(client.agents.sessions.setStatus({ ...thread, thread_ts: "1.1", status: "active" })),
  ).toMatchObject(refusedAs("thread_not_found"));
});
