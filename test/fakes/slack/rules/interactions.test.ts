import { expect, test } from "vitest";
import { boltOn } from "../bolt.ts";
import { harness, postMessage, rejection } from "../harness.ts";

const question = {
  channel: "CGENERAL",
  text: "May I write?",
  blocks: [
    { type: "section", text: { type: "mrkdwn", text: "May I *write*?" } },
    {
      type: "actions",
      block_id: "question",
      elements: [
        {
          type: "button",
          action_id: "approve",
          value: "q1",
          style: "primary",
          text: { type: "plain_text", text: "Approve" },
        },
        { type: "button", action_id: "deny", value: "q1", text: { type: "plain_text", text: "Deny" } },
      ],
    },
  ],
} as const;

test("a click is acknowledged, the message is updated in place, and its buttons are gone", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  app.action("approve", async ({ ack, body, client, action }) => {
    await ack();
    const place = body.type === "block_actions" ? body.container : {};
    await client.chat.update({
      channel: String(place["channel_id"]),
      ts: String(place["message_ts"]),
      text: `Approved by <@${body.user.id}> (${"value" in action ? action.value : ""})`,
      blocks: [],
    });
  });
  await app.start();
  const { ts = "" } = await postMessage(app.client, question);
  expect(fake.threadAsText("CGENERAL", ts)).toMatchInlineSnapshot(`
    "--- from: parley (bot)
    May I *write*?
    [Approve] [Deny]
    "
  `);

  const clicked = fake.as("bob").click({ channel: "CGENERAL", ts }, "Approve");
  expect(await clicked.ended).toEqual({ kind: "acknowledged", payload: {} });
  await fake.waitFor(1, "chat.update");
  await fake.settled();
  expect(fake.threadAsText("CGENERAL", ts)).toMatchInlineSnapshot(`
    "--- from: parley (bot) (edited)
    Approved by @bob (q1)
    "
  `);
  expect(() => fake.as("bob").click({ channel: "CGENERAL", ts }, "Approve")).toThrow('no button "Approve"');
  expect(fake.violations).toEqual([]);
});

test("a click that nobody acknowledges in three seconds shows the person an error, and is not sent again", async () => {
  const { fake, client, clock } = await harness();
  const { ts = "" } = await postMessage(client, question);
  const clicked = fake.as("bob").click({ channel: "CGENERAL", ts }, "Deny");
  clock.advance(3000);
  expect(await clicked.ended).toEqual({ kind: "unacknowledged" });
  clock.advance(600_000);
  expect(fake.deliveries.filter(({ type }) => type === "interactive")).toMatchObject([{ sockets: [0] }]);
});

test("a response_url answers privately, replaces the original, and is used up after five", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  app.action("deny", async ({ ack, respond }) => {
    await ack();
    await respond({ text: "you may not decide this", response_type: "ephemeral", replace_original: false });
  });
  await app.start();
  const { ts = "" } = await postMessage(app.client, { channel: "CGENERAL", text: "root" });
  const posted = await postMessage(app.client, { ...question, thread_ts: ts });
  const clicked = fake.as("carol").click({ channel: "CGENERAL", ts: posted.ts ?? "" }, "Deny");
  await fake.waitFor(1, "response_url");
  await clicked.ended;
  const respond = (body: object): Promise<number> =>
    fetch(clicked.responseUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then(({ status }) => status);
  expect(await respond({ replace_original: true, text: "decided" })).toBe(200);
  expect(fake.threadAsText("CGENERAL", ts)).toMatchInlineSnapshot(`
    "--- from: parley (bot)
    root
    --- from: parley (bot) (edited)
    decided
    --- from: parley (bot), only to @carol
    you may not decide this
    "
  `);
  expect([await respond({ text: "3" }), await respond({ text: "4" }), await respond({ text: "5" })]).toEqual([
    200, 200, 200,
  ]);
  expect(await respond({ text: "6" })).toBe(404);
  expect(fake.violations).toEqual([]);
});

test("a response_url ends after half an hour", async () => {
  const { fake, client, clock } = await harness();
  const { ts = "" } = await postMessage(client, question);
  const { responseUrl } = fake.as("bob").click({ channel: "CGENERAL", ts }, "Deny");
  clock.advance(30 * 60_000 + 1);
  const late = await fetch(responseUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "late" }),
  });
  expect(late.status).toBe(404);
});

const modal = {
  type: "modal",
  callback_id: "comment",
  title: { type: "plain_text", text: "Deny" },
  submit: { type: "plain_text", text: "Deny" },
  blocks: [
    {
      type: "input",
      block_id: "why",
      label: { type: "plain_text", text: "Why" },
      element: { type: "plain_text_input", action_id: "text" },
    },
  ],
} as const;

const view = () => ({
  ...structuredClone(modal),
  blocks: [...modal.blocks].map((block) => structuredClone(block)),
});

test("a trigger opens one modal, once and within three seconds; what is filled in comes back", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  const said = Promise.withResolvers<unknown>();
  app.action("deny", async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: "trigger_id" in body ? body.trigger_id : "", view: view() });
  });
  app.view("comment", async ({ ack, view: submitted }) => {
    await ack();
    said.resolve(submitted.state.values["why"]?.["text"]?.value);
  });
  await app.start();
  const { ts = "" } = await postMessage(app.client, question);
  const bob = fake.as("bob");
  const { trigger } = bob.click({ channel: "CGENERAL", ts }, "Deny");
  await fake.waitFor(1, "views.open");
  await fake.calls.findLast(({ method }) => method === "views.open")?.exchange.ended;
  expect(() => bob.submit({})).toThrow('"Why" has to be filled in');
  const submitted = bob.submit({ Why: "too broad" });
  expect(await said.promise).toBe("too broad");
  await submitted.ended;
  expect(bob.views()).toEqual([]);
  expect(await rejection(app.client.views.open({ trigger_id: trigger, view: view() }))).toMatchObject({
    data: { error: "exchanged_trigger_id" },
  });
  expect(fake.violations).toEqual([]);
});

test("a trigger is too old after three seconds, and a made-up one never worked", async () => {
  const { fake, client, clock } = await harness();
  const { trigger } = fake.as("bob").globalShortcut("ask");
  const open = (id: string) => rejection(client.views.open({ trigger_id: id, view: view() }));
  clock.advance(3001);
  expect(await open(trigger)).toMatchObject({ data: { error: "expired_trigger_id" } });
  expect(await open("9.9.made-up")).toMatchObject({ data: { error: "invalid_trigger_id" } });
  const fresh = fake.as("bob").globalShortcut("ask");
  await client.views.open({ trigger_id: fresh.trigger, view: view() });
  expect(fake.as("bob").views()).toHaveLength(1);
  expect(fake.as("alice").views()).toHaveLength(0);
});

test("shortcuts and commands reach Bolt with what they are about", async () => {
  const { fake } = await harness();
  const app = boltOn(fake);
  const seen: unknown[] = [];
  app.shortcut("ask_about", async ({ ack, shortcut }) => {
    seen.push("message" in shortcut ? shortcut.message.text : undefined);
    await ack();
  });
  app.command("/parley", async ({ ack, command }) => {
    seen.push([command.text, command.channel_id, command.user_id]);
    await ack("on it");
  });
  await app.start();
  const alice = fake.as("alice");
  const message = alice.say("it is broken", { channel: "general" });
  await alice.messageShortcut("ask_about", message).ended;
  const command = alice.command("/parley", "status", "general");
  expect(await command.ended).toEqual({ kind: "acknowledged", payload: { text: "on it" } });
  expect(seen).toEqual(["it is broken", ["status", "CGENERAL", "UALICE"]]);
});

const plain = (text: string) => ({ type: "plain_text", text }) as const;

test("menus are chosen from by their words, and ephemeral buttons are there for their reader only", async () => {
  const { fake, client } = await harness();
  const { ts = "" } = await postMessage(client, { channel: "CGENERAL", text: "root" });
  const { message_ts: hint = "" } = await client.chat.postEphemeral({
    channel: "CGENERAL",
    user: "UBOB",
    thread_ts: ts,
    text: "Which repository?",
    blocks: [
      {
        type: "actions",
        elements: [
          {
            type: "static_select",
            action_id: "repo",
            options: [
              { text: plain("acme/api"), value: "1" },
              { text: plain("acme/web"), value: "2" },
            ],
          },
          { type: "button", action_id: "none", text: plain("None") },
        ],
      },
    ],
  });
  const place = { channel: "CGENERAL", ts: hint };
  expect(() => fake.as("alice").click(place, "None")).toThrow("alice sees no message");
  fake.as("bob").choose(place, "acme/web");
  fake.as("bob").click(place, "None");
  expect(
    fake.deliveries.filter(({ type }) => type === "interactive").map(({ payload }) => payload),
  ).toMatchObject([
    { container: { is_ephemeral: true }, actions: [{ action_id: "repo", selected_option: { value: "2" } }] },
    { container: { is_ephemeral: true }, actions: [{ action_id: "none" }] },
  ]);
  expect(fake.threadAsText("CGENERAL", ts)).toMatchInlineSnapshot(`
    "--- from: parley (bot)
    root
    --- from: parley (bot), only to @bob
    [acme/api | acme/web] [None]
    "
  `);
});
