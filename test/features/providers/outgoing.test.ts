/** A thread that moves between models: what goes out is what each provider takes, whoever said it before. */

import { expect, test } from "vitest";
import { z } from "zod";
import type { PromptBlock } from "../../../src/thread/prompt.ts";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { call, say } from "../../fakes/anthropic/turn.ts";
import {
  anthropic,
  answered,
  ask,
  assistant,
  harness,
  request,
  routed,
  text,
  toolResult,
  toolUse,
  user,
} from "../../model/harness.ts";
import { type Case, families, spoken, spokenAs } from "./spoken.ts";

const each = test.for(families.map((one) => [one.named, one] as const));
const done = { text: "ok", end: "stop", usage: { input: 10, output: 1, cached: 0 } } as const;

const named = (name: string): Case => {
  const found = families.find((one) => one.named === name);
  if (found === undefined) throw new Error(name);
  return found;
};

/** Every value under one of these keys. */
const under = (value: unknown, ...keys: readonly string[]): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        keys.includes(key) && typeof inner === "string" ? [inner] : under(inner, ...keys),
      );

/** As Anthropic, Bedrock, Gemini's package, Mistral, OpenAI and others make them. */
const IDS = [
  "toolu_01A09q90qw90lq917835lq9",
  "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q",
  "aB3dE5gH7",
  "functions.bash:0",
  "functions/bash:0",
  "call_" + "x".repeat(80),
  "call_" + "x".repeat(79) + "y",
];
const moved = [
  user(text("go")),
  assistant(
    ...IDS.map((id, index) => toolUse(id, { command: `echo ${index}` }, index === 0 ? "9 lives" : "bash")),
  ),
  user(...IDS.map((id) => toolResult(id, "ok"))),
];

each(
  "%s: every call that another model made has an id and a name that are taken, and its result",
  async ([, one]) => {
    const { model, name, bodies } = await spoken(one, done);
    await answered(ask(model, request(moved, { model: name })));
    const body: unknown = JSON.parse(bodies[0] ?? "");
    const told = JSON.stringify(body);
    for (const index of IDS.keys()) expect(told).toContain(`echo ${index}`);
    const names = under(body, "name").filter((word) => word.includes("lives"));
    for (const word of names) expect(word).toMatch(/^[A-Za-z_][\w-]{0,63}$/);
    expect(names.length).toBeGreaterThan(0);
    const ids = { mistral: ["id", "tool_call_id"], bedrock: ["toolUseId"] }[one.named] ?? [
      "call_id",
      "id",
      "tool_call_id",
    ];
    const sent = under(body, ...ids);
    if (one.format.type === "text/event-stream" && /gemini|vertex/.test(one.named)) return;
    expect(sent).toHaveLength(2 * IDS.length);
    expect(new Set(sent).size, "a call and its result, for each").toBe(IDS.length);
    for (const id of sent) expect(id).toMatch(one.named === "mistral" ? /^[a-zA-Z0-9]{9}$/ : /^[\w-]{1,40}$/);
  },
);

test("anthropic: ids of other models are taken, and stay apart", async () => {
  const { fake, model } = await harness();
  fake.script(say("ok"));
  await answered(ask(model, request(moved)));
  expect(fake.violations).toEqual([]);
});

each("%s: an id that a server uses again is another call's, wherever the thread goes on", async ([, one]) => {
  const calls = [{ id: "call_0", name: "bash", json: '{"command":"ls"}' }];
  const { model, name } = await spoken(
    one,
    { ...done, calls, end: "tools" },
    { ...done, calls, end: "tools" },
  );
  let messages = [user(text("go"))];
  for (const round of ["one", "two"]) {
    const { blocks } = await answered(ask(model, request(messages, { model: name })));
    const results = blocks.flatMap((block) =>
      block.kind === "toolUse" ? [toolResult(block.id, round)] : [],
    );
    messages = [...messages, assistant(...blocks), user(...results)];
  }
  const { fake, model: other } = await harness();
  fake.script(say("ok"));
  await answered(ask(other, request(messages)));
  expect(fake.violations).toEqual([]);
});

each("%s: what Claude thought stays with Claude, and its calls go on", async ([, one]) => {
  const { fake, model: claude } = await harness();
  const thinking = { kind: "thinking", thinking: "a secret thought" } as const;
  fake.script({
    ...call("bash", { command: "ls" }),
    content: [thinking, ...call("bash", { command: "ls" }).content],
  });
  const { blocks } = await answered(ask(claude, request()));
  const results = blocks.flatMap((block) =>
    block.kind === "toolUse" ? [toolResult(block.id, "files")] : [],
  );
  const { model, name, bodies } = await spoken(one, done);
  await answered(
    ask(model, request([user(text("go")), assistant(...blocks), user(...results)], { model: name })),
  );
  expect(bodies[0]).not.toContain("a secret thought");
  expect(bodies[0]).toContain("files");
});

const shown = (hash: string): PromptBlock => ({ kind: "image", image: { hash, mediaType: "image/png" } });

each("%s: of pictures only so many go out as the provider takes, the newest", async ([, one]) => {
  const { model, name, bodies, blobs } = await spoken(one, done);
  const hashes = Array.from({ length: 30 }, (_, index) => `p${index}`);
  for (const hash of hashes) blobs.set(hash, Buffer.from(`picture ${hash}`));
  await answered(ask(model, request([user(text("look"), ...hashes.map(shown))], { model: name })));
  const most = { mistral: 8, bedrock: 20 }[one.named] ?? 30;
  const sent = hashes.filter((hash) =>
    bodies[0]?.includes(Buffer.from(`picture ${hash}`).toString("base64")),
  );
  expect(sent).toEqual(hashes.slice(-most));
  expect(bodies[0]?.match(/no longer available/g)?.length ?? 0).toBe(30 - most);
});

each("%s: what a model cannot take is told in words", async ([, one]) => {
  const { model, name, bodies } = await spokenAs(one, { pictures: false, tools: false }, done);
  const messages = [
    user(text("go"), shown("p1")),
    assistant(toolUse("t1", { command: "ls" })),
    user(toolResult("t1", "the files")),
  ];
  await answered(ask(model, request(messages, { model: name })));
  expect(bodies[0]).toContain("this model cannot see pictures");
  expect(bodies[0]).toContain("You called bash with");
  expect(bodies[0]).toContain("the files");
  expect(JSON.parse(bodies[0] ?? "")).not.toHaveProperty("tools");
});

test("bedrock: Claude's cache is marked after the system, and after this request and the one before", async () => {
  const { model, name, bodies } = await spoken(named("bedrock"), done);
  await answered(
    ask(
      model,
      request([user(text("a")), assistant(text("b")), user(text("c")), ...moved.slice(1)], { model: name }),
    ),
  );
  const content = z.array(z.record(z.string(), z.unknown()));
  const body = z
    .object({ system: content, messages: z.array(z.object({ content })) })
    .parse(JSON.parse(bodies[0] ?? ""));
  const marked = [body.system, ...body.messages.map((one) => one.content)].map((one) =>
    Object.hasOwn(one.at(-1) ?? {}, "cachePoint"),
  );
  expect(marked).toEqual([true, false, false, true, false, true]);
});

// ── thinking ────────────────────────────────────────────────────────────────────────────────────────────────────

const UNTHOUGHT = [user(text("go")), assistant(toolUse("t1")), user(toolResult("t1", "ok"))];

test.for<readonly [string, string, number, object]>([
  ["claude-sonnet-4-5", "say", 8_192, { thinking: { type: "enabled", budget_tokens: 8_192 } }],
  ["claude-sonnet-4-5", "say", 64_000, { thinking: { type: "enabled", budget_tokens: 16_384 - 1_024 } }],
  ["claude-sonnet-4-5", "call", 8_192, {}],
  [
    "claude-sonnet-5-5",
    "say",
    8_192,
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" } },
  ],
  [
    "claude-opus-5-5",
    "call",
    2_000,
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
  ],
])("%s after a %s thinks for %d tokens: %o", async ([name, last, thinking, expected]) => {
  const fake = await createFakeAnthropic({ apiKey: "k" });
  const { model } = routed(anthropic({ alias: name, name, key: "k", address: fake.url, thinking }));
  fake.script(say("ok"));
  await answered(ask(model, request(last === "say" ? undefined : UNTHOUGHT, { model: name })));
  const { thinking: asked, output_config } = z
    .looseObject({ thinking: z.unknown().optional(), output_config: z.unknown().optional() })
    .parse(fake.requests[0]?.body);
  await fake.close();
  expect(JSON.parse(JSON.stringify({ thinking: asked, output_config }))).toEqual(expected);
});

test.for<readonly [string, string, object]>([
  ["openai responses", "gpt-5", { reasoning: { effort: "medium", summary: "auto" } }],
  ["openai chat completions", "qwen3-coder", { reasoning_effort: "medium" }],
  [
    "gemini",
    "gemini-2.5-pro",
    {
      generationConfig: {
        maxOutputTokens: 16_384,
        thinkingConfig: { thinkingBudget: 8_192, includeThoughts: true },
      },
    },
  ],
  [
    "bedrock",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    {
      inferenceConfig: { maxTokens: 16_384 },
      additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 8_192 } },
    },
  ],
  [
    "bedrock",
    "global.anthropic.claude-opus-4-6-v1",
    {
      inferenceConfig: { maxTokens: 16_384 },
      additionalModelRequestFields: { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
    },
  ],
])("%s, %s: a budget is told as the provider has words for it", async ([family, model, expected]) => {
  const one = await spokenAs(named(family), { name: model, thinking: 8_192 }, done, done);
  await answered(one.asked());
  expect(JSON.parse(one.bodies[0] ?? "")).toMatchObject(expected);
});

test("bedrock: Claude is asked for no thoughts where calls came without one", async () => {
  const one = await spokenAs(named("bedrock"), { thinking: 8_192 }, done);
  await answered(ask(one.model, request(UNTHOUGHT, { model: one.name })));
  expect(one.bodies[0]).not.toContain("budget_tokens");
});
