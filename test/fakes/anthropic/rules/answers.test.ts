import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { expect, test } from "vitest";
import { ask, bashTool, harness } from "../harness.ts";
import { call, cutToolCall, nothing, paused, refusal, say, windowExceeded } from "../turn.ts";

test("streamed text arrives delta by delta and adds up to the script", async () => {
  const { fake, client } = await harness();
  fake.script(say(["Grüße", ", ", "🙂", "!"]));

  const deltas: string[] = [];
  const message = await client.messages
    .stream(ask())
    .on("text", (delta) => deltas.push(delta))
    .finalMessage();

  expect(deltas).toEqual(["Grüße", ", ", "🙂", "!"]);
  expect(message.content).toEqual([{ type: "text", text: "Grüße, 🙂!", citations: null }]);
  expect(message.stop_reason).toBe("end_turn");
  expect(fake.violations).toEqual([]);
});

test("the same turn says the same streamed and as JSON", async () => {
  const { fake, client } = await harness();
  const turn = {
    content: [
      { kind: "thinking", thinking: "look first" },
      { kind: "text", text: "I look." },
      { kind: "tool", name: "bash", input: { command: "ls -la" }, id: "toolu_1" },
    ],
  } as const;
  fake.script(turn, turn);

  const streamed = await client.messages.stream({ ...ask(), tools: [bashTool] }).finalMessage();
  const whole = await client.messages.create({ ...ask(), tools: [bashTool] });

  expect(streamed.content).toEqual(whole.content);
  expect(streamed.usage).toEqual(whole.usage);
  expect(whole.stop_reason).toBe("tool_use");
});

test("a tool round with thinking goes back to the fake unchanged and is accepted", async () => {
  const { fake, client } = await harness();
  fake.script(
    {
      content: [
        { kind: "thinking", thinking: "a directory" },
        { kind: "redacted", data: "b3BhcXVl" },
        { kind: "tool", name: "bash", input: { command: "ls" } },
      ],
    },
    say("Two files."),
  );
  const tools = [bashTool];
  const question = ask().messages;

  const first = await client.messages.stream({ ...ask(), tools }).finalMessage();
  const [use] = first.content.filter((block) => block.type === "tool_use");
  const second = await client.messages
    .stream({
      ...ask([
        ...question,
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: use?.id ?? "", content: "a\nb" }] },
      ]),
      tools,
    })
    .finalMessage();

  expect(use?.input).toEqual({ command: "ls" });
  expect(second.content).toEqual([{ type: "text", text: "Two files.", citations: null }]);
  expect(fake.violations).toEqual([]);
});

test("usage is counted from the bytes, and a turn may state its own", async () => {
  const { fake, client } = await harness();
  fake.script(say("12345678"), { ...say("x"), usage: { input_tokens: 900_000, output_tokens: 7 } });

  const counted = await client.messages.stream(ask()).finalMessage();
  const stated = await client.messages.stream(ask()).finalMessage();
  const { model, messages } = ask();
  const asked = await client.messages.countTokens({ model, messages });

  expect(counted.usage.output_tokens).toBe(2);
  expect(counted.usage.input_tokens).toBe(asked.input_tokens);
  expect(stated.usage).toMatchObject({ input_tokens: 900_000, output_tokens: 7 });
});

test.for([
  [refusal("I can not."), "refusal"],
  [paused("still searching"), "pause_turn"],
  [windowExceeded("and so"), "model_context_window_exceeded"],
  [nothing, "end_turn"],
] as const)("%s stops with %s", async ([turn, stop]) => {
  const { fake, client } = await harness();
  fake.script(turn);
  const message = await client.messages.stream(ask()).finalMessage();
  expect(message.stop_reason).toBe(stop);
  expect(message.content).toHaveLength(turn.content.length);
});

test("a refusal says its category", async () => {
  const { fake, client } = await harness();
  fake.script(refusal(""));
  const message = await client.messages.stream(ask()).finalMessage();
  expect(message.stop_details).toEqual({
    type: "refusal",
    category: "cyber",
    explanation: "declined by policy",
  });
});

test("a tool call cut by max_tokens reaches the SDK's caller as empty input and no error", async () => {
  const { fake, client } = await harness();
  fake.script(cutToolCall("bash", '{"comm'));
  const message = await client.messages.stream({ ...ask(), tools: [bashTool] }).finalMessage();
  expect(message.stop_reason).toBe("max_tokens");
  expect(message.content).toMatchObject([{ type: "tool_use", name: "bash", input: {} }]);
});

test("an answer stands still at a gate until the test opens it", async () => {
  const { fake, client } = await harness();
  const gate = fake.gate();
  fake.script({ content: [{ kind: "text", text: ["before", gate, "after"] }] });

  const seen: string[] = [];
  const stream = client.messages.stream(ask()).on("text", (delta) => seen.push(delta));
  const first = new Promise((resolve) => stream.once("text", resolve));
  await first;
  await gate.reached;
  expect(seen).toEqual(["before"]);
  gate.open();
  await stream.finalMessage();
  expect(seen).toEqual(["before", "after"]);
});

test("a held answer sends no status line before its gate opens", async () => {
  const { fake, client } = await harness();
  const gate = fake.gate();
  fake.script({ ...say("late"), hold: gate });
  let isConnected = false;
  const stream = client.messages.stream(ask()).on("connect", () => {
    isConnected = true;
  });
  await gate.reached;
  expect(isConnected).toBe(false);
  gate.open();
  expect((await stream.finalMessage()).content).toHaveLength(1);
});

test("each conversation gets the turns scripted for it, whichever asks first", async () => {
  const { fake, client } = await harness();
  fake.scriptFor({ contains: "apple" }, say("about apples"));
  fake.scriptFor((request) => JSON.stringify(request.body).includes("pear"), say("about pears"));
  fake.scriptAlways((body) => say(`model ${body.model}`));

  const texts = await Promise.all(
    ["pear", "apple", "plum"].map(async (word) => {
      const message = await client.messages.create(ask([{ role: "user", content: word }]));
      return message.content.map((block) => (block.type === "text" ? block.text : ""));
    }),
  );
  expect(texts).toEqual([["about pears"], ["about apples"], ["model claude-sonnet-5-5"]]);
});

test("an unscripted request is answered 500 and is a violation", async () => {
  const { fake, client } = await harness();
  await expect(client.messages.create(ask())).rejects.toMatchObject({ status: 500 });
  expect(fake.violations).toEqual([{ seq: 1, message: "unscripted: no turn matches this request" }]);
});

test("the raw events come in the API's order", async () => {
  const { fake, client } = await harness();
  fake.script(call("bash", { command: "ls" }));
  const events: RawMessageStreamEvent["type"][] = [];
  for await (const event of await client.messages.create({ ...ask(), tools: [bashTool], stream: true })) {
    events.push(event.type);
  }
  expect(events).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("models tell their windows, page by page", async () => {
  const { fake, client } = await harness();
  const one = await client.models.retrieve("claude-haiku-4-5");
  expect(one).toMatchObject({ max_input_tokens: 200_000, max_tokens: 64_000 });
  const ids: string[] = [];
  for await (const model of client.models.list({ limit: 2 })) {
    ids.push(model.id);
  }
  expect(ids).toContain("claude-opus-5-5");
  expect(new Set(ids).size).toBe(7);
  await expect(client.models.retrieve("claude-nonesuch")).rejects.toMatchObject({
    status: 404,
    type: "not_found_error",
  });
  expect(fake.violations).toEqual([]);
});
