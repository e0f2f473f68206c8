/** Streams as each family of providers writes them, piece by piece, so that a test can leave out or spoil any. */

import { crc32 } from "node:zlib";

/** One answer. `end`: null where the stream breaks off without one. */
export interface Spoken {
  /** A list: as many deltas. */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly end: "stop" | "length" | "tools" | "filter" | null;
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number };
}

export interface WireFormat {
  readonly type: string;
  readonly write: (spoken: Spoken) => Buffer;
}

export const sse = (events: readonly unknown[], tail = ""): Buffer =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + tail);

const deltas = (text: Spoken["text"]): readonly string[] =>
  text === undefined ? [] : typeof text === "string" ? [text] : text;

/** Text alone: Anthropic has a stand-in of its own (test/fakes/anthropic). */
export const messages: WireFormat = {
  type: "text/event-stream",
  write: ({ text, usage }) => {
    const { input = 0, output = 0 } = usage ?? {};
    return sse([
      { type: "message_start", message: { usage: { input_tokens: input, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...deltas(text).map((one) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: one },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: output } },
      { type: "message_stop" },
    ]);
  },
};

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});

export const chat: WireFormat = {
  type: "text/event-stream",
  write: ({ text, thinking, calls = [], end, usage }) => {
    const told =
      usage === undefined
        ? {}
        : {
            usage: {
              prompt_tokens: usage.input,
              completion_tokens: usage.output,
              total_tokens: usage.input + usage.output,
              prompt_tokens_details: { cached_tokens: usage.cached },
            },
          };
    const ends = { stop: "stop", length: "length", tools: "tool_calls", filter: "content_filter" };
    return sse(
      [
        chunk({ role: "assistant", content: "" }),
        ...(thinking === undefined ? [] : [chunk({ reasoning_content: thinking })]),
        ...deltas(text).map((content) => chunk({ content })),
        // All calls in one delta.
        ...(calls.length === 0
          ? []
          : [
              chunk({
                tool_calls: calls.map(({ id, name, json }, index) => ({
                  index,
                  id,
                  type: "function",
                  function: { name, arguments: json },
                })),
              }),
            ]),
        ...(end === null ? [] : [{ ...chunk({}, ends[end]), ...told }]),
      ],
      end === null ? "" : "data: [DONE]\n\n",
    );
  },
};

export const responses: WireFormat = {
  type: "text/event-stream",
  write: ({ text, thinking, calls = [], end, usage }) => {
    let at = -1;
    const items: readonly (() => readonly object[])[] = [
      ...(thinking === undefined
        ? []
        : [
            () => [
              {
                type: "response.output_item.added",
                output_index: at,
                item: { type: "reasoning", id: "rs_1", summary: [] },
              },
              {
                type: "response.reasoning_summary_part.added",
                item_id: "rs_1",
                output_index: at,
                summary_index: 0,
              },
              {
                type: "response.reasoning_summary_text.delta",
                item_id: "rs_1",
                output_index: at,
                summary_index: 0,
                delta: thinking,
              },
              {
                type: "response.output_item.done",
                output_index: at,
                item: {
                  type: "reasoning",
                  id: "rs_1",
                  encrypted_content: "sealed",
                  summary: [{ type: "summary_text", text: thinking }],
                },
              },
            ],
          ]),
      ...(text === undefined
        ? []
        : [
            () => [
              {
                type: "response.output_item.added",
                output_index: at,
                item: { type: "message", id: "msg_1" },
              },
              ...deltas(text).map((delta) => ({
                type: "response.output_text.delta",
                item_id: "msg_1",
                output_index: at,
                content_index: 0,
                delta,
              })),
              { type: "response.output_item.done", output_index: at, item: { type: "message", id: "msg_1" } },
            ],
          ]),
      ...calls.map(({ id, name, json }, index) => () => {
        const item = { type: "function_call", id: `fc_${index}`, call_id: id, name, arguments: "" };
        return [
          { type: "response.output_item.added", output_index: at, item },
          { type: "response.function_call_arguments.delta", item_id: item.id, output_index: at, delta: json },
          {
            type: "response.output_item.done",
            output_index: at,
            item: { ...item, arguments: json, status: end === "length" ? "incomplete" : "completed" },
          },
        ];
      }),
    ];
    const told =
      usage === undefined
        ? {}
        : {
            usage: {
              input_tokens: usage.input,
              input_tokens_details: { cached_tokens: usage.cached },
              output_tokens: usage.output,
              output_tokens_details: { reasoning_tokens: 0 },
            },
          };
    const reasons = { length: "max_output_tokens", filter: "content_filter" } as const;
    const last =
      end === "length" || end === "filter"
        ? [
            {
              type: "response.incomplete",
              response: { incomplete_details: { reason: reasons[end] }, ...told },
            },
          ]
        : [{ type: "response.completed", response: { incomplete_details: null, ...told } }];
    return sse([
      { type: "response.created", response: { id: "r1", created_at: 1, model: "m" } },
      ...items.flatMap((item) => {
        at += 1;
        return item();
      }),
      ...(end === null ? [] : last),
    ]);
  },
};

export const gemini: WireFormat = {
  type: "text/event-stream",
  write: ({ text, thinking, calls = [], end, usage }) => {
    const parts = [
      ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
      ...calls.map(({ name, json }) => ({
        functionCall: { name, args: JSON.parse(json) },
        thoughtSignature: "signed",
      })),
    ];
    const ends = { stop: "STOP", length: "MAX_TOKENS", tools: "STOP", filter: "SAFETY" };
    const told =
      usage === undefined
        ? {}
        : {
            usageMetadata: {
              promptTokenCount: usage.input,
              candidatesTokenCount: usage.output,
              cachedContentTokenCount: usage.cached,
              totalTokenCount: usage.input + usage.output,
            },
          };
    const content = { role: "model", parts };
    return sse([
      ...deltas(text).map((one) => ({
        candidates: [{ content: { role: "model", parts: [{ text: one }] }, index: 0 }],
      })),
      ...(parts.length === 0 ? [] : [{ candidates: [{ content, index: 0 }] }]),
      ...(end === null
        ? []
        : [
            {
              candidates: [{ content: { role: "model", parts: [] }, finishReason: ends[end], index: 0 }],
              ...told,
            },
          ]),
    ]);
  },
};

export const bedrock: WireFormat = {
  type: "application/vnd.amazon.eventstream",
  write: ({ text, thinking, calls = [], end, usage }) => {
    let at = 0;
    const block = (...events: readonly (readonly [string, object])[]) => {
      const made = events.map(([name, body]) => frame(name, { contentBlockIndex: at, ...body }));
      at += 1;
      return [...made, frame("contentBlockStop", { contentBlockIndex: at - 1 })];
    };
    const ends = {
      stop: "end_turn",
      length: "max_tokens",
      tools: "tool_use",
      filter: "guardrail_intervened",
    };
    const told =
      usage === undefined
        ? {}
        : {
            usage: {
              inputTokens: usage.input - usage.cached,
              outputTokens: usage.output,
              cacheReadInputTokens: usage.cached,
              totalTokens: usage.input + usage.output,
            },
          };
    return Buffer.concat([
      frame("messageStart", { role: "assistant" }),
      ...(thinking === undefined
        ? []
        : block(
            ["contentBlockDelta", { delta: { reasoningContent: { text: thinking } } }],
            ["contentBlockDelta", { delta: { reasoningContent: { signature: "signed" } } }],
          )),
      ...(text === undefined
        ? []
        : block(...deltas(text).map((one) => ["contentBlockDelta", { delta: { text: one } }] as const))),
      ...calls.flatMap(({ id, name, json }) =>
        block(
          ["contentBlockStart", { start: { toolUse: { toolUseId: id, name } } }],
          ["contentBlockDelta", { delta: { toolUse: { input: json } } }],
        ),
      ),
      ...(end === null
        ? []
        : [
            frame("messageStop", { stopReason: ends[end] }),
            frame("metadata", { ...told, metrics: { latencyMs: 1 } }),
          ]),
    ]);
  },
};

/** One message of Amazon's event stream: lengths, headers and payload, each sum checked. */
export const frame = (name: string, body: object): Buffer =>
  framed({ ":event-type": name, ":content-type": "application/json", ":message-type": "event" }, body);

/** What Amazon sends where it fails after the answer has begun. */
export const exception = (name: string, message: string): Buffer =>
  framed(
    { ":exception-type": name, ":content-type": "application/json", ":message-type": "exception" },
    { message },
  );

const framed = (told: Readonly<Record<string, string>>, body: object): Buffer => {
  const headers = Buffer.concat(
    Object.entries(told).map(([key, value]) => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(value.length);
      return Buffer.concat([
        Buffer.from([key.length]),
        Buffer.from(key),
        Buffer.from([7]),
        size,
        Buffer.from(value),
      ]);
    }),
  );
  const payload = Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(16 + headers.length + payload.length, 0);
  head.writeUInt32BE(headers.length, 4);
  head.writeUInt32BE(crc32(head.subarray(0, 8)), 8);
  const whole = Buffer.concat([head, headers, payload]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, sum]);
};
