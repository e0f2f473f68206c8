/**
 * What servers of OpenAI's two formats really send (world.md, WM3 to WM7), on the wire; what follows is held to the rules that these
 * formats publish.
 */

import fc from "fast-check";
import * as z from "zod";
import { describe, expect, it, test } from "vitest";
import { isWellFormed } from "../../../src/text/well-formed.ts";
import { unreadableInputText } from "../../../src/text/unreadable-input.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptBlock, PromptMessage } from "../../../src/thread/prompt.ts";
import { createWorld } from "../../runtime/world.ts";
import { testSeed } from "../../seed.ts";
import { ask, assistant, request, routed, serve, text, toolResult, user } from "../../model/harness.ts";
import { configure } from "./families.ts";
import { type Case, families, spoken } from "./spoken.ts";
import { sse } from "../../fakes/providers/wires.ts";

const HALF = "\ud83d";

const named = (name: string): Case => {
  const found = families.find((one) => one.named === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const CHAT = named("openai chat completions");
const RESPONSES = named("openai responses");
const AZURE = named("azure");
const MISTRAL = named("mistral");

const chunk = (delta: object, finish_reason?: unknown, id = "c1") => ({
  id,
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, ...(finish_reason === undefined ? {} : { finish_reason }) }],
});
const called = (args: unknown, over: { readonly id?: string; readonly name?: string } = {}) =>
  chunk({
    tool_calls: [
      {
        index: 0,
        id: over.id ?? "t1",
        type: "function",
        function: { name: over.name ?? "bash", arguments: args },
      },
    ],
  });
const DONE = "data: [DONE]\n\n";

/** One answer, as a server writes it. */
const said = async (one: Case, bytes: Buffer): Promise<ModelOutcome> =>
  (await spoken(one, bytes)).asked().outcome;

const chat = (events: readonly object[], tail = DONE): Promise<ModelOutcome> => said(CHAT, sse(events, tail));

const blocksOf = (outcome: ModelOutcome): readonly PromptBlock[] =>
  outcome.kind === "answered" ? outcome.blocks : [];
const words = (outcome: ModelOutcome) => blocksOf(outcome).filter(({ kind }) => kind !== "opaque");

describe("chat completions", () => {
  it.each([
    ["an object in place of its JSON", { command: "ls" }],
    ["JSON within JSON", JSON.stringify('{"command":"ls"}')],
    ["its JSON", '{"command":"ls"}'],
  ])("WM7 a call's arguments are read from %s", async (_, args) => {
    expect(await chat([called(args), chunk({}, "tool_calls")])).toMatchObject({
      kind: "answered",
      stop: "tools",
      blocks: [{ kind: "toolUse", input: { command: "ls" } }],
    });
  });

  it("WM7 the tool's error names what is wrong with arguments that are no JSON", async () => {
    const [use] = blocksOf(await chat([called("{not json"), chunk({}, "tool_calls")]));
    expect(unreadableInputText(use?.kind === "toolUse" ? use.input : null)).toContain("not valid JSON");
  });

  it.each([
    ["empty", ""],
    ["null", null],
    ["missing", undefined],
    ["unknown", "eos"],
  ])("WM7 an answer that [DONE] ends is complete when its reason is %s", async (_, reason) => {
    expect(await chat([chunk({ content: "whole" }), chunk({}, reason)])).toMatchObject({
      kind: "answered",
      stop: "end",
      blocks: [{ kind: "text", text: "whole" }],
    });
  });

  it.each([
    ["empty", ""],
    ["null", null],
    ["missing", undefined],
    ["stop", "stop"],
  ])("WM3 a complete call runs when its reason is %s", async (_, reason) => {
    expect(await chat([called('{"command":"ls"}'), chunk({}, reason)])).toMatchObject({
      stop: "tools",
      blocks: [{ kind: "toolUse", input: { command: "ls" } }],
    });
  });

  it.each([
    ["a reason", chunk({ content: "ha" }, null)],
    ["words", chunk({ content: "ha" })],
  ])("WM7 an answer without %s and without [DONE] was cut", async (_, last) => {
    expect(await chat([last], "")).toMatchObject({ kind: "failed", failure: { kind: "network" } });
  });

  it("WM7 what arrives in pieces of one byte is read as it was written", async () => {
    const bytes = sse([chunk({ content: "é😀" }), called({ command: "é" }), chunk({}, "tool_calls")], DONE);
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    const configured = await configure(CHAT.family, url);
    const { model } = routed(configured);
    expect(await ask(model, request(undefined, { model: configured.alias })).outcome).toMatchObject({
      blocks: [
        { kind: "text", text: "é😀" },
        { kind: "toolUse", input: { command: "é" } },
      ],
    });
  });

  it("WM6 a second answer in the stream is a cut stream; the same id again is not", async () => {
    const begun = (id: string) => chunk({ role: "assistant", content: "" }, null, id);
    const first = [begun("c1"), chunk({ content: "A" })];
    const second = [begun("c2"), chunk({ content: "B" }, null, "c2"), chunk({}, "stop", "c2")];
    const spliced = [...first, ...second];
    expect(await chat(spliced)).toMatchObject({ kind: "failed", failure: { kind: "network" } });
    expect(await chat([chunk({ content: "A" }), chunk({ content: "B" }), chunk({}, "stop")])).toMatchObject({
      kind: "answered",
      blocks: [{ text: "AB" }],
    });
    // The first one was complete.
    expect(await chat([...first, chunk({}, "stop"), ...second])).toMatchObject({
      kind: "answered",
      blocks: [{ text: "A" }],
    });
  });

  it("WM6 a server that gives each chunk an id of its own is read", async () => {
    const each = [
      chunk({ content: "A" }, null, "1"),
      chunk({ content: "B" }, null, "2"),
      chunk({}, "stop", "3"),
    ];
    expect(await chat(each)).toMatchObject({ kind: "answered", blocks: [{ text: "AB" }] });
  });

  it("WM3 an answer that announces a call without one stops for tools and has none", async () => {
    const outcome = await chat([chunk({ content: "I look." }), chunk({}, "tool_calls")]);
    expect(outcome).toMatchObject({ kind: "answered", stop: "tools" });
    expect(words(outcome)).toEqual([{ kind: "text", text: "I look." }]);
  });
});

const created = (id: string) => ({ type: "response.created", response: { id, created_at: 1, model: "m" } });
const message = (at: number, content: string) => [
  { type: "response.output_item.added", output_index: at, item: { type: "message", id: `msg_${at}` } },
  {
    type: "response.output_text.delta",
    item_id: `msg_${at}`,
    output_index: at,
    content_index: 0,
    delta: content,
  },
  { type: "response.output_item.done", output_index: at, item: { type: "message", id: `msg_${at}` } },
];
const completed = (type = "response.completed", reason: unknown = null) => ({
  type,
  response: {
    incomplete_details: reason === null ? null : { reason },
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const functionCall = (at: number, call_id: string, name: string, json: string) => {
  const item = { type: "function_call", id: `fc_${at}`, call_id, name, arguments: "" };
  return [
    { type: "response.output_item.added", output_index: at, item },
    { type: "response.function_call_arguments.delta", item_id: item.id, output_index: at, delta: json },
    {
      type: "response.output_item.done",
      output_index: at,
      item: { ...item, arguments: json, status: "completed" },
    },
  ];
};

describe("responses", () => {
  it("WM6 a second answer in the stream is a cut stream; a start that is sent twice is one answer", async () => {
    const answer = [...message(0, "A"), completed()];
    const spliced = sse([created("r1"), ...message(0, "A"), created("r2"), ...answer]);
    expect(await said(RESPONSES, spliced)).toMatchObject({ kind: "failed", failure: { kind: "network" } });
    expect(await said(RESPONSES, sse([created("r1"), created("r1"), ...answer]))).toMatchObject({
      kind: "answered",
      blocks: expect.arrayContaining([{ kind: "text", text: "A" }]),
    });
  });

  it("WM7 the tool's error names what is wrong with arguments that are no JSON", async () => {
    const bytes = sse([created("r1"), ...functionCall(0, "call_1", "bash", "{not json"), completed()]);
    const use = blocksOf(await said(RESPONSES, bytes)).find(({ kind }) => kind === "toolUse");
    expect(unreadableInputText(use?.kind === "toolUse" ? use.input : null)).toContain("not valid JSON");
  });
});

/** A conversation with a model behind these answers, and what it was sent. */
const conversing = async (one: Case, ...answers: Parameters<typeof spoken>[1][]) => {
  const { model, name, bodies } = await spoken(one, ...answers);
  const world = createWorld({ model, modelName: name });
  const id = await world.begin();
  const notices = async (): Promise<string> =>
    JSON.stringify((await world.bot.read(id))?.posts.map(({ post }) => post.body));
  let turns = 0;
  const turn = async (words: string): Promise<void> => {
    turns += 1;
    await world.say(id, words);
    await expect
      .poll(async () => (await world.bot.read(id))?.state.turn)
      .toMatchObject({ no: turns, end: expect.anything() });
  };
  return { bodies, notices, turn };
};

const usage = { input: 10, output: 1, cached: 0 };
const REFUSING = families.filter(({ named: name }) => name !== "mistral");

test.for(REFUSING.map((one) => [one.named, one] as const))(
  "WM4 %s: a refused turn is left out of later requests, and the notice says so",
  async ([, one]) => {
    const { bodies, notices, turn } = await conversing(
      one,
      { text: "first answer", end: "stop", usage },
      { text: "I", end: "filter", usage },
      { text: "ok", end: "stop", usage },
    );
    await turn("an accepted question");
    await turn("a REFUSED question");
    expect(bodies[1]).toContain("a REFUSED question");
    expect(await notices()).toContain('"refused"');
    await turn("a third question");
    expect(bodies[2]).toContain("an accepted question");
    expect(bodies[2]).toContain("a third question");
    expect(bodies[2]).not.toContain("REFUSED question");
  },
);

it("WM3 a call that is announced and never arrives ends the turn with a notice, and the next request is valid", async () => {
  const { bodies, notices, turn } = await conversing(
    CHAT,
    sse([chunk({ content: "I look." }), chunk({}, "tool_calls")], DONE),
    { text: "ok", end: "stop", usage },
  );
  await turn("where is it?");
  expect(await notices()).toContain('"noCall"');
  await turn("and now?");
  expect(chatProblems(bodies[1] ?? "")).toEqual([]);
  expect(bodies[1]).toContain("I look.");
});

/** What OpenAI's reference of chat completions forbids in a request. */
const chatProblems = (body: string): readonly string[] => {
  const json: unknown = JSON.parse(body);
  const { data, error } = chatRequest.safeParse(json);
  if (data === undefined) return [z.prettifyError(error)];
  const problems = isWellFormed(json) ? [] : ["half a surrogate pair"];
  let open: readonly string[] = [];
  for (const message of data.messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) problems.push(`a result of no call: ${message.tool_call_id}`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) problems.push(`calls without a result: ${open.join()}`);
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    open = calls.map(({ id }) => id);
    if (new Set(open).size !== open.length) problems.push("two calls of one id");
    if (calls.length === 0 && isBlank(message.content)) problems.push(`an empty message of ${message.role}`);
  }
  return open.length > 0 ? [...problems, "calls without a result at the end"] : problems;
};

const isBlank = (content: unknown): boolean =>
  content === null ||
  content === undefined ||
  content === "" ||
  (Array.isArray(content) && content.length === 0);

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const argumentText = z.string().refine((value) => {
  const parsed: unknown = JSON.parse(value);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
});
const chatRequest = z.object({
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.object({ role: z.enum(["system", "user"]), content: z.unknown() }),
        z.object({
          role: z.literal("assistant"),
          content: z.unknown().optional(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().min(1),
                type: z.literal("function"),
                function: z.object({ name: z.string().regex(NAME), arguments: argumentText }),
              }),
            )
            .min(1)
            .optional(),
        }),
        z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: z.string() }),
      ]),
    )
    .min(1),
});

/** Mistral refuses more: other ids, words of a user at once after results, an end by anybody but a user or a tool. */
const mistralProblems = (body: string): readonly string[] => {
  const problems = chatProblems(body);
  const { data } = chatRequest.safeParse(JSON.parse(body));
  if (data === undefined) return problems;
  const { messages } = data;
  const more: readonly (string | null)[] = messages.map((message, index) => {
    const before = messages[index - 1]?.role;
    switch (message.role) {
      case "tool":
        return MISTRAL_ID.test(message.tool_call_id) ? null : "an id that is not Mistral's";
      case "user":
        return before === "tool" ? "a user after a tool" : null;
      case "assistant":
        return (message.tool_calls ?? []).every(({ id }) => MISTRAL_ID.test(id))
          ? null
          : "an id that is not Mistral's";
      case "system":
        return index === 0 || before === "system" ? null : "a late system message";
    }
  });
  const last = messages.at(-1)?.role;
  return [
    ...problems,
    ...more.filter((one) => one !== null),
    ...(last === "user" || last === "tool" ? [] : ["not ended by a user or a tool"]),
  ];
};

const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/** What OpenAI's reference of responses forbids in a request. */
const responsesProblems = (body: string): readonly string[] => {
  const json: unknown = JSON.parse(body);
  const { data, error } = responsesRequest.safeParse(json);
  if (data === undefined) return [z.prettifyError(error)];
  const problems = isWellFormed(json) ? [] : ["half a surrogate pair"];
  const calls = data.input.flatMap((one) => ("call_id" in one && "name" in one ? [one.call_id] : []));
  const results = data.input.flatMap((one) => ("call_id" in one && "output" in one ? [one.call_id] : []));
  if (new Set(calls).size !== calls.length) problems.push("two calls of one id");
  if (calls.toSorted().join() !== results.toSorted().join()) problems.push("calls and results differ");
  data.input.forEach((one, index) => {
    const after = data.input[index + 1];
    if ("summary" in one && (after === undefined || ("role" in after && after.role === "user")))
      problems.push("reasoning with nothing after it");
  });
  return problems;
};

const parts = z.array(z.looseObject({ type: z.string(), text: z.string().min(1).optional() })).min(1);
const responsesRequest = z.object({
  input: z
    .array(
      z.union([
        z.object({
          type: z.literal("function_call"),
          call_id: z.string().min(1).max(64),
          name: z.string().regex(NAME),
          arguments: argumentText,
        }),
        z.object({
          type: z.literal("function_call_output"),
          call_id: z.string().min(1).max(64),
          output: z.union([z.string(), parts]),
        }),
        z.object({
          type: z.literal("reasoning"),
          summary: z.array(z.unknown()),
          encrypted_content: z.string().nullish(),
        }),
        z.object({
          role: z.enum(["system", "developer", "user", "assistant"]),
          content: z.union([z.string().min(1), parts]),
        }),
      ]),
    )
    .min(1),
});

const halves = fc.string({
  unit: fc.constantFrom("a", " ", HALF, "\udc00", "😀", '"', "\\", "\n"),
  maxLength: 6,
});
const json = fc.oneof(
  halves,
  fc.json({ maxDepth: 2 }),
  fc.dictionary(halves, fc.oneof(halves, fc.integer()), { maxKeys: 3 }).map((one) => JSON.stringify(one)),
);
const piece = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: halves }),
  fc.record({ kind: fc.constant("thought" as const), text: halves }),
  fc.record({ kind: fc.constant("call" as const), id: halves, name: halves, json, isObject: fc.boolean() }),
);
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never;

const answer = fc.record({
  pieces: fc.array(piece, { maxLength: 4 }),
  reason: fc.constantFrom("stop", "tool_calls", "length", "content_filter", "", "odd", null, undefined),
  splice: fc.boolean(),
  tail: fc.constantFrom(DONE, ": x\n\n", "data:\n\n", ""),
  /** A person writes behind the results, as after a turn that was stopped. */
  isStopped: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

/** How a server of this format writes a piece, and its end; `open`: the reason of a chunk that is not the last. */
interface Deltas {
  readonly open: null | undefined;
  readonly piece: (one: Piece, index: number) => object;
  readonly end: (reason: Answer["reason"]) => readonly [delta: object, reason: unknown];
}

const chunksOf =
  ({ open, piece: deltaOf, end }: Deltas) =>
  ({ pieces, reason, splice, tail }: Answer): Buffer => {
    const once = (id: string) =>
      [{ role: "assistant", content: "" }, ...pieces.map(deltaOf)].map((delta) => chunk(delta, open, id));
    const id = splice ? "c2" : "c1";
    return sse([...once("c1"), ...(splice ? once(id) : []), chunk(...end(reason), id)], tail);
  };

const callDelta = (one: Extract<Piece, { kind: "call" }>, index: number, more: object = {}): object => {
  const args = one.isObject ? { a: one.json } : one.json;
  return { tool_calls: [{ index, id: one.id, ...more, function: { name: one.name, arguments: args } }] };
};

const chatBytes = chunksOf({
  open: undefined,
  piece: (one, index) => {
    switch (one.kind) {
      case "text":
        return { content: one.text };
      case "thought":
        return { reasoning_content: one.text };
      case "call":
        return callDelta(one, index, { type: "function" });
    }
  },
  end: (reason) => [{}, reason],
});

/** Mistral's own shapes: thoughts are a list within the content, and text may be. */
const mistralBytes = chunksOf({
  open: null,
  piece: (one, index) => {
    switch (one.kind) {
      case "text":
        return { content: index % 2 === 0 ? one.text : [{ type: "text", text: one.text }] };
      case "thought":
        return { content: [{ type: "thinking", thinking: [{ type: "text", text: one.text }] }] };
      case "call":
        return callDelta(one, index);
    }
  },
  end: (reason) => [{ content: "" }, reason === "length" ? "model_length" : reason],
});

const responsesBytes = ({ pieces, reason, splice, tail }: Answer): Buffer => {
  const items = pieces.flatMap((one, at) => itemOf(one, at));
  const incomplete = { length: "max_output_tokens", content_filter: "content_filter" } as const;
  const last =
    reason === "length" || reason === "content_filter"
      ? completed("response.incomplete", incomplete[reason])
      : completed();
  return sse([created("r1"), ...items, ...(splice ? [created("r2"), ...items] : []), last], tail);
};

const itemOf = (one: Piece, at: number): readonly object[] => {
  switch (one.kind) {
    case "text":
      return message(at, one.text);
    case "thought": {
      const item = { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: one.text };
      return [
        { type: "response.output_item.added", output_index: at, item },
        {
          type: "response.reasoning_summary_part.added",
          item_id: item.id,
          output_index: at,
          summary_index: 0,
        },
        {
          type: "response.reasoning_summary_text.delta",
          item_id: item.id,
          output_index: at,
          summary_index: 0,
          delta: one.text,
        },
        { type: "response.output_item.done", output_index: at, item },
      ];
    }
    case "call":
      return functionCall(at, one.id, one.name, one.json);
  }
};

/** Seeds that are always tried; one that fails is added. */
const SEEDS: readonly number[] = [1, 2, 3, testSeed()];

describe.each([
  ["chat completions", CHAT, chatBytes, chatProblems],
  ["responses", RESPONSES, responsesBytes, responsesProblems],
  ["Azure's responses", AZURE, responsesBytes, responsesProblems],
  ["Mistral", MISTRAL, mistralBytes, mistralProblems],
] as const)("39.A3 %s", (_format, one, bytesOf, problemsOf) => {
  test.each(SEEDS)(
    "whatever events a model's stream holds, the next request satisfies the format's rules (seed %i)",
    async (seed) => {
      let told = 0;
      for (const sample of fc.sample(fc.array(answer, { minLength: 1, maxLength: 3 }), {
        seed,
        numRuns: 25,
      })) {
        const { model, name, bodies } = await spoken(one, ...sample.map(bytesOf), {
          text: "ok",
          end: "stop",
          usage,
        });
        const messages: PromptMessage[] = [user(text("go"))];
        for (const { splice, pieces, isStopped } of sample) {
          const outcome = await ask(model, request(messages, { model: name })).outcome;
          if (splice && pieces.length > 0) expect(outcome).toMatchObject({ kind: "failed" });
          const blocks = blocksOf(outcome).filter((each) => each.kind !== "text" || each.text.trim() !== "");
          if (blocks.length === 0) continue;
          told += 1;
          const results = blocks.flatMap((each) =>
            each.kind === "toolUse" ? [toolResult(each.id, "no", true)] : [],
          );
          const more = isStopped || results.length === 0 ? [text("go on")] : [];
          messages.push(assistant(...blocks), user(...results, ...more));
        }
        expect((await ask(model, request(messages, { model: name })).outcome).kind).toBe("answered");
        expect(problemsOf(bodies.at(-1) ?? "")).toEqual([]);
      }
      expect(told).toBeGreaterThan(0);
    },
  );
});

const asking = (...messages: readonly object[]) => chatProblems(JSON.stringify({ messages }));
const mistral = (...messages: readonly object[]) => mistralProblems(JSON.stringify({ messages }));
const input = (...items: readonly object[]) => responsesProblems(JSON.stringify({ input: items }));

it("39.A3 the rules refuse what the formats refuse", () => {
  const call = { id: "t", type: "function", function: { name: "bash", arguments: "{}" } };
  expect(asking({ role: "user", content: "x" })).toEqual([]);
  expect(asking({ role: "assistant", tool_calls: [call] })).not.toEqual([]);
  expect(asking({ role: "tool", tool_call_id: "t", content: "" })).not.toEqual([]);
  expect(asking({ role: "user", content: HALF })).not.toEqual([]);
  const mine = { ...call, id: "abcDEF123" };
  const result = { role: "tool", tool_call_id: "abcDEF123", content: "x" };
  expect(mistral({ role: "user", content: "x" })).toEqual([]);
  expect(mistral({ role: "assistant", tool_calls: [mine] }, result)).toEqual([]);
  expect(mistral({ role: "assistant", tool_calls: [call] }, { ...result, tool_call_id: "t" })).not.toEqual(
    [],
  );
  expect(
    mistral({ role: "assistant", tool_calls: [mine] }, result, { role: "user", content: "x" }),
  ).not.toEqual([]);
  expect(mistral({ role: "assistant", content: "x" })).not.toEqual([]);
  expect(input({ role: "user", content: "x" })).toEqual([]);
  const used = { type: "function_call", call_id: "t", name: "bash", arguments: "{}" };
  expect(input(used)).not.toEqual([]);
  expect(input(used, { type: "function_call_output", call_id: "t", output: "x" })).toEqual([]);
  expect(input({ type: "reasoning", summary: [] })).not.toEqual([]);
});
