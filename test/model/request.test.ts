/** What goes out: stable bytes, cache breakpoints, pairing, pictures, and no history that the API would refuse. */

import * as fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { PromptBlock, PromptMessage } from "../../src/thread/prompt.ts";
import { loadPictures } from "../../src/model/images.ts";
import type { MessageCache } from "../../src/model/message-cache.ts";
import { requestParams } from "../../src/model/request.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import {
  answered,
  anthropic,
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

test("of pictures that are too much together only the newest are sent", async () => {
  const blobs = { get: () => Promise.resolve(Buffer.alloc(3_500_000)) };
  const messages = [user(...["p1", "p2", "p3", "p4", "p5"].map(shown))];
  const sent = await loadPictures(messages, blobs, () => false);
  expect([...sent.keys()]).toEqual(["p5", "p4", "p3", "p2"]);
});

const shown = (hash: string) => ({ kind: "image", image: { hash, mediaType: "image/png" } }) as const;
const created = (fake: Awaited<ReturnType<typeof harness>>["fake"]): readonly string[] =>
  fake.requests.map(({ body }) => JSON.stringify(body));
const imagesIn = (body: string | undefined): number => body?.match(/"type":"image"/g)?.length ?? 0;

test("a picture that the provider refuses is left out with a note, and the others stay; later requests hold it no more", async () => {
  const { fake, model, blobs, log } = await harness();
  blobs.set("good", await png(4));
  blobs.set("bad", Buffer.from("not a picture at all"));
  blobs.set("worse", Buffer.from("nor this one"));
  const messages = [
    user(text("look"), shown("bad"), shown("good")),
    assistant(toolUse("a")),
    user(toolResult("a", "Picture x", false, [{ hash: "worse", mediaType: "image/png" }])),
  ];
  fake.script(say("I see one."), say("Still here."));
  expect(await answered(ask(model, request(messages)))).toMatchObject({ stop: "end" });
  const more = [...messages, assistant(text("I see one.")), user(text("and?"))];
  expect(await answered(ask(model, request(more)))).toMatchObject({ stop: "end" });
  const bodies = created(fake);
  expect(bodies.map(imagesIn)).toEqual([3, 2, 1, 1]);
  expect(bodies.at(-1)?.match(/the model's provider refused it/g)).toHaveLength(2);
  expect(log.filter(({ message }) => message.includes("pictures refused"))).toHaveLength(2);
});

test("where the provider's complaint of pictures names none, all are left out; a complaint of other things is no picture's fault", async () => {
  const { fake, model, blobs } = await harness();
  blobs.set("good", await png(4));
  const messages = [user(text("look"), shown("good"))];
  fake.fault({ kind: "status", status: 400, message: "This model does not support image input." });
  fake.script(say("I cannot see it."));
  expect(await answered(ask(model, request(messages)))).toMatchObject({ stop: "end" });
  expect(created(fake).map(imagesIn)).toEqual([1, 0]);
  const other = await harness();
  other.blobs.set("good", await png(4));
  other.fake.fault({ kind: "status", status: 400, message: "messages.0: something else" });
  expect(await ask(other.model, request(messages)).outcome).toMatchObject({
    kind: "failed",
    failure: { kind: "invalid_request" },
  });
  expect(created(other.fake)).toHaveLength(1);
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

test("a longer history begins with the bytes of a shorter one", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), async (messages, cut) => {
      const shorter = messages.slice(0, 1 + (cut % messages.length));
      expect((await bare(messages)).startsWith((await bare(shorter)).slice(0, -1))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const bare = async (messages: readonly PromptMessage[]): Promise<string> =>
  (await bytes(messages, new WeakMap())).replaceAll(',"cache_control":{"type":"ephemeral"}', "");

const bytes = async (
  messages: readonly PromptMessage[],
  made: MessageCache,
  kept: ReadonlySet<string> = new Set(),
): Promise<string> => {
  const get = (hash: string) => Promise.resolve(kept.has(hash) ? Buffer.from(hash) : null);
  const isRefused = (hash: string): boolean => hash === "p3" && !kept.has("p2");
  const deps = { model: anthropic(), blobs: { get }, maxTokens: 1_000, made, isRefused };
  const { params } = await requestParams(request(messages), deps);
  return JSON.stringify(params.messages);
};

const picture = fc.constantFrom("p1", "p2", "p3").map((hash) => ({ hash, mediaType: "image/png" }) as const);
const pictured = fc
  .record({ image: picture, isError: fc.boolean() })
  .map(({ image, isError }) => [
    assistant(toolUse("tu_p")),
    user({ kind: "image", image }, toolResult("tu_p", "shown", isError, [image])),
  ]);
const unsendable = fc.constant([assistant(text(" "))]);
const message = fc.oneof(history, pictured, unsendable);

test("what a request makes of the messages of earlier ones equals what it would make of all of them anew", async () => {
  const asked = fc.record({
    messages: fc.integer({ min: 0, max: 12 }),
    /** Ends otherwise than the ones before, as a list whose last message grew; what comes before is shared. */
    other: fc.option(history),
    kept: fc.uniqueArray(fc.constantFrom("p1", "p2", "p3")),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.array(asked, { minLength: 2, maxLength: 6 }),
      async (parts, requests) => {
        const all = parts.flat();
        const made: MessageCache = new WeakMap();
        for (const { messages, other, kept } of requests) {
          const list = [...all.slice(0, messages), ...(other ?? [])];
          const there = new Set(kept);
          expect(await bytes(list, made, there)).toBe(await bytes(list, new WeakMap(), there));
        }
      },
    ),
    { numRuns: 100 },
  );
});
