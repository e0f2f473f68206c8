import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, bashTool, harness } from "../harness.ts";
import { paused, say } from "../turn.ts";

const use = (id: string): object => ({ type: "tool_use", id, name: "bash", input: {} });
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const text = (words: string): object => ({ type: "text", text: words });
const user = (...content: object[]): object => ({ role: "user", content });
const assistant = (...content: object[]): object => ({ role: "assistant", content });
const start = user(text("go"));
const withTools = { tools: [bashTool] };

/** Sends a body as it is: most of what stands here is what the SDK's types would not let through. */
const send = async (body: object): Promise<{ readonly answer: string; readonly violations: number }> => {
  const { fake } = await harness();
  fake.scriptAlways(say("fine"));
  const response = await fetch(`${fake.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": fake.apiKey, "anthropic-version": "2026-10-21" },
    body: JSON.stringify({ ...ask(), ...body }),
  });
  const words = await response.text();
  const [violation] = fake.violations;
  return {
    answer: response.status === 200 ? "accepted" : (violation?.message ?? words),
    violations: fake.violations.length,
  };
};

const told = z.object({ error: z.object({ type: z.string() }).optional() });
const accepted = { answer: "accepted", violations: 0 };
const rejected = (message: string) => ({ answer: expect.stringContaining(message), violations: 1 });

const many = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    type: "text",
    text: `${at}`,
    cache_control: { type: "ephemeral" },
  }));
const tool = (name: string): object => ({ ...bashTool, name });
const failed = (content: unknown): object => ({
  messages: [
    start,
    assistant(use("a")),
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", is_error: true, content }] },
  ],
  ...withTools,
});

const picture = async (width: number, format: "png" | "jpeg", declared: string): Promise<object> => {
  const image = sharp({ create: { width, height: 2, channels: 3, background: "#204080" } });
  const bytes = await image.toFormat(format).toBuffer();
  return {
    type: "image",
    source: { type: "base64", media_type: declared, data: bytes.toString("base64") },
  };
};
const sent = (...images: object[]): object => ({ messages: [{ role: "user", content: images }] });

describe("tool pairing", () => {
  test.for([
    ["one call, one result", [start, assistant(use("a")), user(result("a"))]],
    [
      "two calls, results in another order",
      [start, assistant(use("a"), use("b")), user(result("b"), result("a"))],
    ],
    ["text after the results", [start, assistant(text("look"), use("a")), user(result("a"), text("and"))]],
    [
      "a second round",
      [start, assistant(use("a")), user(result("a")), assistant(use("b")), user(result("b"))],
    ],
    ["neighbouring user messages", [start, user(text("and")), assistant(use("a")), user(result("a")), start]],
    ["a system message later on", [start, { role: "system", content: "be brief" }]],
  ] as const)("accepts %s", async ([, messages]) => {
    expect(await send({ messages, ...withTools })).toEqual(accepted);
  });

  test.for([
    ["a missing result", [start, assistant(use("a"), use("b")), user(result("a"))], "next message: b"],
    ["no answer at all", [start, assistant(use("a"))], "next message: a"],
    [
      "a result one message late",
      [start, assistant(use("a")), user(text("wait")), user(result("a"))],
      "next message: a",
    ],
    [
      "a result without a call",
      [start, assistant(text("hm")), user(result("a"))],
      "must be in the previous message",
    ],
    ["a result to open with", [user(result("a"))], "must be in the previous message"],
    [
      "text before the result",
      [start, assistant(use("a")), user(text("so"), result("a"))],
      "must come first",
    ],
    [
      "two results for one call",
      [start, assistant(use("a")), user(result("a"), result("a"))],
      "single result",
    ],
    [
      "an id used twice",
      [start, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))],
      "must be unique",
    ],
    ["a call by the user", [user(use("a"))], "only be in `assistant` messages"],
    ["a result by the assistant", [start, assistant(result("a")), start], "only be in `user` messages"],
  ] as const)("rejects %s", async ([, messages, message]) => {
    expect(await send({ messages, ...withTools })).toEqual(rejected(message));
  });

  test("tool blocks need tools", async () => {
    const messages = [start, assistant(use("a")), user(result("a"))];
    expect(await send({ messages })).toEqual(rejected("`tool_use` blocks need `tools`"));
    expect(await send({ messages, ...withTools })).toEqual(accepted);
  });
});

describe("shapes from the SDK's declarations", () => {
  test.for([
    [
      "an unknown block type",
      { messages: [{ role: "user", content: [{ type: "hologram" }] }] },
      'messages.0.content.0: unknown type "hologram"',
    ],
    ["an unknown role", { messages: [{ role: "tool", content: "x" }] }, 'messages.0: unknown role "tool"'],
    [
      "a field too many",
      { messages: [{ role: "user", content: [{ type: "text", text: "x", colour: 1 }] }] },
      'extra input "colour"',
    ],
    [
      "a field too few",
      { messages: [{ role: "user", content: [{ type: "text" }] }] },
      "required property 'text'",
    ],
    ["an unknown parameter", { wobble: 1 }, 'extra input "wobble"'],
    [
      "a picture type nobody knows",
      {
        messages: [
          user({ type: "image", source: { type: "base64", data: "AA==", media_type: "image/bmp" } }),
        ],
      },
      "media_type",
    ],
  ] as const)("reject %s", async ([, body, message]) => {
    expect(await send(body)).toEqual(rejected(message));
  });

  test("accept every block the agent sends", async () => {
    const messages = [
      start,
      assistant(
        { type: "text", text: "look", citations: null },
        {
          ...use("a"),
          caller: { type: "direct" },
        },
      ),
      user({
        type: "tool_result",
        tool_use_id: "a",
        content: [{ type: "text", text: "no" }],
        is_error: true,
      }),
    ];
    const thinking = { type: "adaptive" };
    expect(await send({ messages, ...withTools, thinking, output_config: { effort: "low" } })).toEqual(
      accepted,
    );
  });
});

describe("rules the types cannot say", () => {
  test.for([
    ["temperature", { temperature: 1 }, "temperature", {}],
    ["top_p", { top_p: 1 }, "top_p", {}],
    ["top_k", { top_k: 1 }, "top_k", {}],
    [
      "an assistant to begin with",
      { messages: [assistant(text("x")), start] },
      "first message",
      { messages: [start] },
    ],
    ["no message", { messages: [] }, "at least one message", { messages: [start] }],
    ["empty text", { messages: [user(text(""))] }, "non-whitespace", { messages: [user(text("."))] }],
    ["blank text", { messages: [{ role: "user", content: " \n" }] }, "non-whitespace", {}],
    [
      "empty text in a result",
      failed([{ type: "text", text: "" }]),
      "non-whitespace",
      failed([{ type: "text", text: "no" }]),
    ],
    ["empty content", { messages: [{ role: "user", content: [] }] }, "non-empty content", {}],
    ["an empty error result", failed(""), "cannot be empty", failed("no")],
    [
      "prefill",
      { messages: [start, assistant(text("I"))] },
      "prefill",
      { messages: [start, assistant(text("I"))], model: "claude-haiku-4-5" },
    ],
    ["five breakpoints", { system: many(5) }, "maximum of 4", { system: many(4) }],
    [
      "1h after 5m",
      { system: [...many(1), { type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } }] },
      "ttl of 1h",
      {},
    ],
    ["max_tokens over the model's", { max_tokens: 128_001 }, "128001 > 128000", { max_tokens: 128_000 }],
    [
      "two tools of one name",
      { tools: [tool("a"), tool("a")] },
      "unique: a",
      { tools: [tool("a"), tool("b")] },
    ],
    ["a tool name with a dot", { tools: [tool("a.b")] }, "must match", { tools: [tool("a-b_1")] }],
    [
      "a tool name too long",
      { tools: [tool("a".repeat(129))] },
      "must match",
      { tools: [tool("a".repeat(128))] },
    ],
    [
      "a choice of no tool",
      { ...withTools, tool_choice: { type: "tool", name: "x" } },
      "not among the tools",
      { ...withTools, tool_choice: { type: "tool", name: "bash" } },
    ],
    [
      "an input schema that is none",
      { tools: [{ ...bashTool, input_schema: { type: "object", properties: { a: { type: "strng" } } } }] },
      "draft 2020-12",
      withTools,
    ],
    [
      "a thinking block nobody signed",
      { messages: [start, assistant({ type: "thinking", thinking: "x", signature: "y" }, text("z")), start] },
      "signature",
      {},
    ],
    [
      "tool input that is no object",
      {
        messages: [start, assistant({ ...use("a"), input: "ls" }), user(result("a"))],
        ...withTools,
      },
      "must be an object",
      {},
    ],
  ] as const)("reject %s", async ([, bad, message, good]) => {
    expect(await send(bad)).toEqual(rejected(message));
    expect(await send(good)).toEqual(accepted);
  });

  test("a paused answer, and only that, may be sent back as the last word", async () => {
    const { fake, client } = await harness();
    fake.script(paused("searching on"), say("found"));
    const question = { role: "user", content: "go" } as const;
    const other = { role: "assistant", content: "searching off" } as const;
    const first = await client.messages.create(ask([question]));
    const again = await client.messages.create(
      ask([question, { role: "assistant", content: first.content }]),
    );
    expect(again.content).toMatchObject([{ text: "found" }]);
    await expect(client.messages.create(ask([question, other]))).rejects.toMatchObject({ status: 400 });
  });
});

describe("pictures", () => {
  test("must be what they say they are", async () => {
    expect(await send(sent(await picture(4, "png", "image/png")))).toEqual(accepted);
    expect(await send(sent(await picture(4, "jpeg", "image/jpeg")))).toEqual(accepted);
    expect(await send(sent(await picture(4, "jpeg", "image/png")))).toEqual(
      rejected("appears to be image/jpeg"),
    );
    const junk = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    expect(await send(sent(junk))).toEqual(rejected("could not process"));
  });

  test("may be 8000 pixels wide, and 2000 where there are more than 20", async () => {
    expect(await send(sent(await picture(8000, "png", "image/png")))).toEqual(accepted);
    expect(await send(sent(await picture(8001, "png", "image/png")))).toEqual(rejected("8000 pixels"));
    const wide = await picture(2001, "png", "image/png");
    expect(await send(sent(...Array.from({ length: 20 }, () => wide)))).toEqual(accepted);
    expect(await send(sent(...Array.from({ length: 21 }, () => wide)))).toEqual(rejected("2000 pixels"));
  });

  test("are at most 5 MB", async () => {
    const data = "A".repeat(5 * 1024 * 1024 + 4);
    const huge = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    expect(await send(sent(huge))).toEqual(rejected("5 MB maximum"));
  });
});

describe("what a correct program may run into is refused, but no violation", () => {
  test("an unknown model", async () => {
    expect(await send({ model: "claude-nonesuch" })).toEqual({
      answer: expect.stringContaining("not_found_error"),
      violations: 0,
    });
  });

  test("a prompt over the window", async () => {
    const small = {
      id: "small",
      line: "haiku",
      window: 20,
      maxTokens: 1000,
      cacheFloor: 1,
      prefill: false,
    } as const;
    const { fake, client } = await harness({ models: [small] });
    fake.script(say("fits"));
    const long = { ...ask([{ role: "user", content: "x".repeat(200) }]), model: "small" };
    await expect(client.messages.create(long)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("prompt is too long"),
    });
    expect((await client.messages.create({ ...ask(), model: "small" })).stop_reason).toBe("end_turn");
    expect(fake.violations).toEqual([]);
  });

  test("a body over 32 MB", async () => {
    const { answer, violations } = await send({ system: "x".repeat(32 * 1024 * 1024) });
    expect([answer, violations]).toEqual([expect.stringContaining("maximum size"), 0]);
  });

  test("a wrong or missing key; both headers are let in", async () => {
    const { fake } = await harness();
    const status = async (headers: Record<string, string>): Promise<unknown> => {
      const response = await fetch(`${fake.url}/v1/models`, {
        headers: { ...headers, "anthropic-version": "2026-10-21" },
      });
      const { error } = told.parse(await response.json());
      return [response.status, error?.type];
    };
    expect(await status({})).toEqual([401, "authentication_error"]);
    expect(await status({ "x-api-key": "other" })).toEqual([401, "authentication_error"]);
    expect(await status({ authorization: "Bearer other" })).toEqual([401, "authentication_error"]);
    expect(await status({ "x-api-key": fake.apiKey })).toEqual([200, undefined]);
    expect(await status({ authorization: `Bearer ${fake.apiKey}` })).toEqual([200, undefined]);
    expect(fake.violations).toEqual([]);
  });
});

test("a request without anthropic-version is rejected", async () => {
  const { fake } = await harness();
  const response = await fetch(`${fake.url}/v1/models`, { headers: { "x-api-key": fake.apiKey } });
  expect(response.status).toBe(400);
  expect(fake.violations).toMatchObject([{ message: "anthropic-version: header is required" }]);
});
