import { expect, test } from "vitest";
import { boltOn } from "../bolt.ts";
import { harness, postMessage } from "../harness.ts";
import { eventTypeOf } from "../match.ts";

/** Where a client has to come back: how long it waits first. Not so short that a busy machine passes for a dead one. */
const soon = 1000;

const eventTypes = (
  deliveries: readonly { readonly payload: Readonly<Record<string, unknown>> }[],
): readonly unknown[] => deliveries.map((delivery) => eventTypeOf(delivery));

test("a mention reaches a real Bolt app as app_mention and as message, and its answer is in the thread", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  app.event("app_mention", async ({ event, say }) => {
    await say({ text: `you said ${event.text}`, thread_ts: event.ts });
  });
  await app.start();

  const { channel, ts } = fake.as("alice").say("@parley hello", { channel: "general" });
  await fake.waitFor(1, "chat.postMessage");
  await fake.settled();
  const [message, mention] = fake.deliveries;
  expect(eventTypes(fake.deliveries.slice(0, 2))).toEqual(["message", "app_mention"]);
  expect(message?.payload["event_id"]).not.toBe(mention?.payload["event_id"]);
  await fake.waitForDelivery(3);
  expect(fake.deliveries[2]?.payload).toMatchObject({
    event: { type: "message", bot_id: "B0PARLEY", thread_ts: ts },
  });
  expect(fake.threadAsText(channel, ts)).toMatchInlineSnapshot(`
    "--- from: @alice
    @parley hello
    --- from: parley (bot)
    you said @parley hello
    "
  `);
  expect(fake.violations).toEqual([]);
});

test("an event without an acknowledgement comes again at once, after a minute and after five, with the same event_id", async () => {
  const { fake, clock } = await harness();
  const app = boltOn(fake);
  await app.start();
  fake.deliveryFault({ kind: "loseAck" }, { times: 1 });
  fake.as("alice").say("hello", { channel: "general" });
  const [delivery] = fake.deliveries;
  const retries: (number | undefined)[] = [];
  app.use(async ({ context, next }) => {
    retries.push(context.retryNum);
    await next();
  });
  clock.advance(3000);
  expect(await delivery?.ended).toMatchObject({ kind: "acknowledged" });
  expect(delivery?.sockets).toHaveLength(2);

  await app.stop();
  await fake.sockets.waitFor(1, "closed");
  fake.as("alice").say("anyone?", { channel: "general" });
  const lost = fake.deliveries[1];
  for (const [wait, attempts] of [
    [3000, 2],
    [62_999, 2],
    [1, 3],
    [302_999, 3],
    [1, 4],
    [400_000, 4],
  ] as const) {
    clock.advance(wait);
    expect(lost?.sockets).toEqual(Array.from({ length: attempts }, () => 0));
  }
  expect(await lost?.ended).toEqual({ kind: "unacknowledged" });
  expect(fake.violations).toEqual([]);
});

test("two sockets take turns", async () => {
  const { fake } = await harness();
  await boltOn(fake).start();
  await boltOn(fake).start();
  expect(fake.sockets.open.map(({ id }) => id)).toEqual([1, 2]);
  for (const text of ["1", "2", "3", "4"]) {
    fake.as("alice").say(text, { channel: "general" });
  }
  await fake.settled();
  const used = fake.deliveries.map(({ sockets }) => sockets[0]);
  expect(used.filter((id) => id === 1)).toHaveLength(2);
  expect(new Set([used[0], used[1]]).size).toBe(2);
});

test.each(["warning", "refresh_requested", "link_disabled"] as const)(
  "after a disconnect frame (%s) the real client comes back on a new socket",
  async (reason) => {
    const { fake } = await harness();
    await boltOn(fake, soon).start();
    fake.sockets.disconnect(reason);
    expect(await fake.sockets.waitFor(2, "opened")).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(fake.calls.filter(({ method }) => method === "apps.connections.open")).toHaveLength(2);
  },
);

test.each(["cutBeforeAck", "cutAfterAck"] as const)(
  "a socket that breaks (%s): handled, and sent again if need be",
  async (kind) => {
    const { fake, clock } = await harness();
    const app = boltOn(fake, soon);
    const handled = Promise.withResolvers<void>();
    let times = 0;
    app.message(async () => {
      times += 1;
      handled.resolve();
    });
    await app.start();
    fake.deliveryFault({ kind });
    fake.as("alice").say("hello", { channel: "general" });
    await handled.promise;
    await fake.sockets.waitFor(2, "opened");
    clock.advance(3000);
    await fake.settled();
    // A lost acknowledgement really runs the handler twice (hazard S2).
    expect(times).toBe(kind === "cutBeforeAck" ? 2 : 1);
  },
);

test("duplicates come with one event_id, and what is held is overtaken", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  const texts: (string | undefined)[] = [];
  app.event("message", async ({ event }) => {
    texts.push("text" in event ? event.text : undefined);
  });
  await app.start();
  const gate = fake.gate();
  fake.deliveryFault({ kind: "hold", gate: gate.gate }, { match: { contains: "first" } });
  fake.deliveryFault({ kind: "duplicate" }, { match: { contains: "second" } });
  fake.deliveryFault({ kind: "drop" }, { match: { contains: "third" } });
  for (const text of ["first", "second", "third"]) {
    fake.as("alice").say(text, { channel: "general" });
  }
  await gate.reached;
  await fake.deliveries[1]?.ended;
  gate.open();
  await fake.settled();
  expect(texts).toEqual(["second", "second", "first"]);
  expect(await fake.deliveries[2]?.ended).toEqual({ kind: "unacknowledged" });
});

test("a socket without a hello is not connected, one without pongs is given up, a refused one is tried again", async () => {
  const { fake } = await harness();
  fake.sockets.fault({ kind: "noPong" });
  await boltOn(fake, soon).start();
  await fake.sockets.waitFor(1, "closed");
  await fake.sockets.waitFor(2, "opened");

  fake.sockets.fault({ kind: "refuse", status: 503 });
  await boltOn(fake, soon).start();
  expect(fake.sockets.open).toHaveLength(2);

  fake.sockets.fault({ kind: "noHello" });
  const started = boltOn(fake)
    .start()
    .catch(() => "stopped");
  await fake.waitFor(5, "apps.connections.open");
  expect(
    await Promise.race([
      started.then(() => "started"),
      fake.sockets.waitFor(3, "opened").then(() => "again"),
    ]),
  ).toBe("again");
});

test("apps.connections.open can fail on its own", async () => {
  const { fake } = await harness();
  fake.fault({ kind: "status", status: 500 }, { match: { method: "apps.connections.open" } });
  await boltOn(fake).start();
  expect(fake.sockets.open).toHaveLength(1);
});

test("only what the app subscribes to is sent, and only from channels that it is in", async () => {
  const { fake } = await harness({
    events: ["app_mention", "message.im"],
    channels: [{ name: "general" }, { name: "away", withoutApp: true }],
  });
  const alice = fake.as("alice");
  alice.say("@parley not here", { channel: "away" });
  alice.say("not subscribed", { channel: "general" });
  alice.say("@parley hello", { channel: "general" });
  alice.say("in private");
  expect(fake.deliveries.map(({ payload }) => payload["event"])).toMatchObject([
    { type: "app_mention", channel: "CGENERAL" },
    { type: "message", channel_type: "im" },
  ]);
});

test("edits, deletions and reactions of people reach the app; its own posts and edits are echoed", async () => {
  const { fake, client } = await harness();
  const alice = fake.as("alice");
  const said = alice.say("hello", { channel: "general" });
  alice.edit(said, "hello!");
  alice.react(said, "eyes");
  alice.unreact(said, "eyes");
  alice.remove(said);
  const { ts = "" } = await postMessage(client, { channel: "CGENERAL", text: "mine" });
  await client.chat.update({ channel: "CGENERAL", ts, text: "mine!" });
  expect(fake.deliveries.map(({ payload }) => payload["event"])).toMatchObject([
    { type: "message", text: "hello", user: "UALICE" },
    { subtype: "message_changed", message: { text: "hello!" }, previous_message: { text: "hello" } },
    { type: "reaction_added", reaction: "eyes", user: "UALICE", item: { ts: said.ts } },
    { type: "reaction_removed" },
    { subtype: "message_deleted", deleted_ts: said.ts },
    { type: "message", bot_id: "B0PARLEY" },
    { subtype: "message_changed", message: { text: "mine!", bot_id: "B0PARLEY" } },
  ]);
});
