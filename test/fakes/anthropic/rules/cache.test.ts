import type {
  MessageCreateParamsNonStreaming,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPrefixCache } from "../cache.ts";
import { ask, bashTool, harness } from "../harness.ts";
import { prefixOf, promptTokens } from "../prefix.ts";
import { say } from "../turn.ts";

const mark = { cache_control: { type: "ephemeral" } } as const;
const long = (word: string): TextBlockParam => ({ type: "text", text: word.repeat(8000) });
/** Tools and system with one breakpoint at their end, well over the floor of 1,024 tokens. */
const stable = { tools: [bashTool], system: [{ ...long("s"), ...mark }] };

const asks = async (...bodies: readonly MessageCreateParamsNonStreaming[]) => {
  const { fake, client } = await harness();
  fake.scriptAlways(say("ok"));
  const told: { read: number | null; written: number | null; input: number }[] = [];
  for (const body of bodies) {
    const { usage } = await client.messages.stream(body).finalMessage();
    told.push({
      read: usage.cache_read_input_tokens,
      written: usage.cache_creation_input_tokens,
      input: usage.input_tokens,
    });
  }
  return told;
};

test("the second request with an identical prefix reads what the first one wrote", async () => {
  const body = { ...ask(), ...stable };
  const [first, second] = await asks(body, {
    ...body,
    messages: [{ role: "user", content: "another question" }],
  });
  expect(first?.read).toBe(0);
  expect(first?.written).toBeGreaterThan(1024);
  expect(second?.read).toBe(first?.written);
  expect(second?.written).toBe(0);
});

test.for([
  ["a tool's description", { ...ask(), ...stable, tools: [{ ...bashTool, description: "Runs it." }] }],
  [
    "one byte of the system prompt",
    { ...ask(), ...stable, system: [{ type: "text", text: `${"s".repeat(7999)}t`, ...mark }] },
  ],
  ["the model", { ...ask(), ...stable, model: "claude-opus-5-5" }],
] as const)("changing %s reads nothing", async ([, changed]) => {
  const [, second] = await asks(
    { ...ask(), ...stable },
    { ...changed, tools: [...changed.tools], system: [...changed.system] },
  );
  expect(second?.read).toBe(0);
});

test("a breakpoint that moves with the conversation reads all that stood before it", async () => {
  const question = { role: "user", content: [{ ...long("q"), ...mark }] } as const;
  const answer = { role: "assistant", content: "ok" } as const;
  const next = { role: "user", content: [{ ...long("n"), ...mark }] } as const;
  const [first, second] = await asks(
    { ...ask([{ ...question, content: [...question.content] }]), ...stable },
    {
      ...ask([{ role: "user", content: [long("q")] }, answer, { ...next, content: [...next.content] }]),
      ...stable,
    },
  );
  expect(second?.read).toBe(first?.written);
  expect(second?.written).toBeGreaterThan(1900);
  expect(second?.input).toBe(0);
});

test("changing tool_choice keeps tools and system, and loses the messages", async () => {
  const body = { ...ask([{ role: "user", content: [{ ...long("q"), ...mark }] }]), ...stable };
  const [first, second] = await asks(body, { ...body, tool_choice: { type: "any" } });
  expect(second?.read).toBeGreaterThan(1900);
  expect(second?.read).toBeLessThan(first?.written ?? 0);
});

test("the automatic breakpoint stands on the last block", async () => {
  const body = { ...ask([{ role: "user", content: [long("q")] }]), ...mark };
  const [first, second] = await asks(body, body);
  expect(first).toMatchObject({ read: 0, input: 0 });
  expect(second).toMatchObject({ read: first?.written, written: 0 });
});

test("a prefix below the model's floor is silently not cached; at the floor it is", async () => {
  const body = ask([{ role: "user", content: [{ type: "text", text: "x".repeat(2000), ...mark }] }]);
  const [, below] = await asks(body, body);
  expect(below).toMatchObject({ read: 0, written: 0 });
  const enough = ask([{ role: "user", content: [{ type: "text", text: "x".repeat(5000), ...mark }] }]);
  const [, above] = await asks(enough, enough);
  expect(above?.read).toBeGreaterThan(1024);
});

test.for([
  [19, true],
  [20, true],
  [21, false],
] as const)("a breakpoint looks back over 20 blocks: %i further reads %s", async ([further, reads]) => {
  const more = Array.from({ length: further }, (_, at): TextBlockParam => ({ type: "text", text: `${at}` }));
  const later = more.map((block, at) => (at === further - 1 ? { ...block, ...mark } : block));
  const [, second] = await asks(
    ask([{ role: "user", content: [{ ...long("q"), ...mark }] }]),
    ask([{ role: "user", content: [long("q"), ...later] }]),
  );
  expect((second?.read ?? 0) > 0).toBe(reads);
});

test("an entry expires when its time to live has passed unread, and one hour lasts longer", async () => {
  let at = 0;
  const { fake, client } = await harness({ now: () => at });
  fake.scriptAlways(say("ok"));
  const hour = { cache_control: { type: "ephemeral", ttl: "1h" } } as const;
  const body = {
    ...ask([{ role: "user", content: [{ ...long("q"), ...mark }] }]),
    system: [{ ...long("s"), ...hour }],
  };
  const first = await client.messages.create(body);
  at += 5 * 60_000 + 1;
  const second = await client.messages.create(body);

  expect(first.usage.cache_creation?.ephemeral_1h_input_tokens).toBeGreaterThan(1900);
  expect(first.usage.cache_creation?.ephemeral_5m_input_tokens).toBeGreaterThan(1900);
  expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation?.ephemeral_1h_input_tokens);
});

test("an answer that never began writes nothing", async () => {
  const { fake, client } = await harness();
  fake.scriptAlways(say("ok"));
  fake.fault({ kind: "status", status: 529 });
  const body = { ...ask(), ...stable };
  await expect(client.messages.create(body)).rejects.toMatchObject({ status: 529 });
  expect((await client.messages.create(body)).usage.cache_read_input_tokens).toBe(0);
});

test("max_tokens 0 fills the cache without an answer", async () => {
  const { fake, client } = await harness();
  fake.script(say("ok"));
  const warmed = await client.messages.create({ ...ask(), ...stable, max_tokens: 0 });
  const read = await client.messages.create({ ...ask(), ...stable });
  expect(warmed.content).toEqual([]);
  expect(read.usage.cache_read_input_tokens).toBe(warmed.usage.cache_creation_input_tokens);
});

test("input, reads and writes always add up to the whole prompt", () => {
  const block = fc.record({ size: fc.nat(4000), marked: fc.boolean() });
  const prompts = fc.array(fc.array(block, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(prompts, fc.nat(600), (requests, floor) => {
      const cache = createPrefixCache(() => 0);
      for (const request of requests) {
        const content = request.map(
          ({ size, marked }): TextBlockParam => ({
            type: "text",
            text: "x".repeat(size),
            ...(marked ? mark : {}),
          }),
        );
        const body = ask([{ role: "user", content }]);
        const blocks = prefixOf(body);
        const { usage, commit } = cache.account(body, blocks, floor);
        commit();
        expect(usage.input + usage.read + usage.write5m + usage.write1h).toBe(promptTokens(blocks));
        expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 300 },
  );
});
