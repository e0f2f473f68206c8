/** What goes out: stable bytes, cache breakpoints, pairing, pictures, and no history that the API would refuse. */

import * as fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { PromptBlock, PromptMessage } from "../../src/core/prompt.ts";
import { requestParams } from "../../src/model/request.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import {
  answered,
  ask,
  assistant,
  bash,
  harness,
  prefix,
  request,
  text,
  toolResult,
  toolUse,
  user,
} from "./harness.ts";

const first = request([user(text("You work in /work."), text("where is the retry policy? ".repeat(200)))]);
const grown = (rounds: number, perRound: number): readonly PromptMessage[] => [
  ...first.messages,
  ...Array.from({ length: rounds }, (_, round) => {
    const ids = Array.from({ length: perRound }, (_, index) => `tu_${round}_${index}`);
    return [
      assistant(text("Let me look."), ...ids.map((id) => toolUse(id, { command: "ls" }))),
      user(...ids.map((id) => toolResult(id, "some output ".repeat(20)))),
    ];
  }).flat(),
];

test.for([
  ["a tool round", grown(1, 1)],
  ["a round of more blocks than the look-back reaches", grown(1, 30)],
  ["two texts of one person", [user(...(first.messages[0]?.content ?? []), text("and the tests?"))]],
  [
    "a plain answer and a question",
    [...first.messages, assistant(text("There.")), user(text("Thanks. And?"))],
  ],
] as const)(
  "the next request after %s reads at least 95 %% of the first from the cache",
  async ([, messages]) => {
    const { fake, model } = await harness();
    fake.script(say("a"), say("b"));
    const before = await answered(ask(model, first));
    const after = await answered(ask(model, request(messages)));
    const whole = before.usage.input + before.usage.cacheRead + before.usage.cacheWrite;
    expect(before.usage).toMatchObject({ cacheRead: 0, input: 0 });
    expect(after.usage.cacheRead / whole).toBeGreaterThanOrEqual(0.95);
    expect(fake.violations).toEqual([]);
  },
);

test("round after round only what is new is written", async () => {
  const { fake, model } = await harness();
  fake.scriptAlways(say("x"));
  let seen = 0;
  for (const rounds of [1, 2, 3, 4, 5]) {
    const { usage } = await answered(ask(model, request(grown(rounds, 12))));
    if (rounds > 1) expect(usage.cacheRead).toBe(seen);
    expect(usage.input).toBe(0);
    seen = usage.cacheRead + usage.cacheWrite;
  }
});

test("four breakpoints: last tool, system, the last two user messages; no sampling parameters", async () => {
  const { fake, model } = await harness({ maxTokens: 1_000_000 });
  fake.script(say("x"));
  const tools = [bash, { ...bash, name: "think" }];
  await answered(ask(model, request(grown(2, 2), { prefix: { ...prefix, tools } })));
  const body = fake.requests[0]?.body;
  expect(paths(body)).toEqual(["tools.1", "system.0", "messages.2.content.1", "messages.4.content.1"]);
  expect(Object.keys(Object(body)).toSorted()).toEqual([
    "max_tokens",
    "messages",
    "model",
    "stream",
    "system",
    "tools",
  ]);
  expect(body, "bounded by what the model can write").toMatchObject({ max_tokens: 128_000 });
});

/** Where `cache_control` stands. */
const paths = (value: unknown, at = ""): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === "cache_control" ? [at] : paths(inner, at === "" ? key : `${at}.${key}`),
      );

test("the summary request carries no tools at all (D15)", async () => {
  const { fake, model } = await harness();
  fake.script(say("summary"));
  await answered(ask(model, request(undefined, { prefix: { ...prefix, tools: [] } })));
  expect(fake.requests[0]?.body).not.toHaveProperty("tools");
});

test("two equal requests are equal byte for byte", async () => {
  const { fake, model } = await harness();
  fake.script(call("bash", { command: "ls" }), say("x"));
  await answered(ask(model, first));
  await answered(ask(model, structuredClone(first)));
  const [one, two] = fake.requests;
  expect(JSON.stringify(one?.body)).toBe(JSON.stringify(two?.body));
});

const png = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: "red" } })
    .png()
    .toBuffer();

test("pictures go out as base64, missing ones as a note, and an error holds text only", async () => {
  const { fake, model, blobs } = await harness();
  const bytes = await png(8);
  blobs.set("there", bytes);
  const picture = { hash: "there", mediaType: "image/png" } as const;
  const gone = { hash: "gone", mediaType: "image/png" } as const;
  fake.script(say("x"));
  await answered(
    ask(
      model,
      request([
        user(text("look"), { kind: "image", image: picture }, { kind: "image", image: gone }),
        assistant(toolUse("a"), toolUse("b"), toolUse("c")),
        user(
          toolResult("a", "", false, [picture]),
          toolResult("b", "shown", false, [gone]),
          toolResult("c", "broken", true, [picture]),
        ),
      ]),
    ),
  );
  const source = { type: "base64", media_type: "image/png", data: bytes.toString("base64") };
  const note = { type: "text", text: expect.stringContaining("no longer available") };
  expect(fake.requests[0]?.body).toMatchObject({
    messages: [
      { content: [{ text: "look" }, { type: "image", source }, note] },
      {},
      {
        content: [
          { content: [{ type: "image", source }] },
          { content: [{ text: "shown" }, note] },
          { content: [{ text: "broken" }], is_error: true },
        ],
      },
    ],
  });
  expect(fake.violations).toEqual([]);
});

test("of too many pictures the oldest are told in words", async () => {
  const { fake, model, blobs } = await harness();
  const bytes = await png(4);
  const images = Array.from({ length: 101 }, (_, index) => `p${index}`);
  for (const hash of images) blobs.set(hash, bytes);
  fake.script(say("x"));
  await answered(
    ask(
      model,
      request(
        [
          user(
            ...images.map((hash) => ({ kind: "image", image: { hash, mediaType: "image/png" } }) as const),
          ),
        ],
        {
          model: "claude-haiku-4-5",
        },
      ),
    ),
  );
  const sent = JSON.stringify(fake.requests[0]?.body);
  expect(sent.match(/"type":"image"/g)?.length).toBe(80);
  expect(sent.indexOf('"type":"image"')).toBeGreaterThan(sent.lastIndexOf("no longer available"));
  expect(fake.violations).toEqual([]);
});

// ── whatever the history holds ──────────────────────────────────────────────────────────────────────────────────

const odd = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " \n", "\ud800", "functions.bash", "a b", "x".repeat(200)),
);
const answerBlock = (round: number): fc.Arbitrary<PromptBlock> =>
  fc.oneof(
    odd.map(text),
    fc
      .record({ name: odd, input: fc.oneof(fc.jsonValue(), odd), n: fc.nat(99) })
      .map(({ name, input, n }) => toolUse(`tu ${round}/${n}`, input, name)),
    fc.constantFrom<PromptBlock>(
      { kind: "opaque", raw: { type: "redacted_thinking", data: "x" } },
      { kind: "opaque", raw: null },
      { kind: "opaque", raw: "text" },
    ),
  );
const round = (index: number): fc.Arbitrary<readonly PromptMessage[]> =>
  fc
    .record({
      blocks: fc.uniqueArray(answerBlock(index), {
        maxLength: 4,
        selector: (block) => (block.kind === "toolUse" ? block.id : JSON.stringify(block)),
      }),
      output: odd,
      isError: fc.boolean(),
      more: fc.array(odd.map(text), { minLength: 1, maxLength: 2 }),
    })
    .map(({ blocks, output, isError, more }) => [
      assistant(...blocks),
      user(
        ...blocks.flatMap((block) =>
          block.kind === "toolUse" ? [toolResult(block.id, output, isError)] : [],
        ),
        ...more,
      ),
    ]);
const history = fc
  .record({
    said: odd,
    rounds: fc.nat(4).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => round(i)))),
  })
  .map(({ said, rounds }): readonly PromptMessage[] => [user(text(said)), ...rounds.flat()]);

test("no history makes a request that the API refuses", async () => {
  const { fake, model } = await harness();
  fake.scriptAlways(say("x"));
  await fc.assert(
    fc.asyncProperty(history, async (messages) => {
      expect((await ask(model, request(messages)).outcome).kind).toBe("answered");
      expect(fake.violations).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("a longer history begins with the bytes of a shorter one", () => {
  fc.assert(
    fc.property(history, fc.nat(), (messages, cut) => {
      const shorter = messages.slice(0, 1 + (cut % messages.length));
      expect(bare(messages).startsWith(bare(shorter).slice(0, -1))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const bare = (messages: readonly PromptMessage[]): string =>
  JSON.stringify(requestParams(request(messages), new Map(), 1000).messages).replaceAll(
    ',"cache_control":{"type":"ephemeral"}',
    "",
  );
