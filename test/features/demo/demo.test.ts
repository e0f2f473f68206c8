/** The demo model as a model: it streams, stops, repeats itself exactly, and always comes to an end. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PromptBlock, PromptMessage } from "../../../src/thread/prompt.ts";
import { createDemoModel } from "../../../src/features/demo/model.ts";
import { say as scripted } from "../../fakes/anthropic/turn.ts";
import {
  ask,
  assistant,
  createManualClock,
  harness,
  prefix,
  request,
  text,
  toolResult,
  toolUse,
  user,
} from "../../model/harness.ts";
import { finish, instant, respond } from "./world.ts";

const SAID = [
  "where is the retry policy implemented?",
  "add a line to README",
  "fix the typo",
  "long answer",
  "slow command",
  "denied write",
  "help",
  "what is this?",
  "",
] as const;

test("text comes in pieces, each after its time, and a long text within seconds", async () => {
  const clock = createManualClock();
  const model = createDemoModel({ clock });
  const asked = ask(model, request([user(text("long answer"))]));
  let passed = 0;
  while (clock.armed() > 0) {
    const before = asked.deltas.length;
    clock.advance(14);
    expect(asked.deltas.length).toBe(before);
    clock.advance(1);
    passed += 15;
    await Promise.resolve();
    await Promise.resolve();
    expect(asked.deltas.length).toBe(before + 1);
  }
  const outcome = await asked.outcome;
  expect(outcome).toMatchObject({ kind: "answered", blocks: [{ kind: "text", text: asked.text() }] });
  expect(passed).toBeLessThanOrEqual(3000);
  expect(asked.deltas.length).toBeGreaterThan(100);
});

test("an abort in the middle is obeyed at once and leaves no timer", async () => {
  const clock = createManualClock();
  const asked = ask(createDemoModel({ clock }), request([user(text("long answer"))]));
  clock.advance(15);
  await clock.whenArmed(2);
  asked.abort.abort();
  expect(await asked.outcome).toEqual({ kind: "aborted" });
  expect(asked.deltas).toHaveLength(1);
  expect(clock.armed()).toBe(0);
});

test("what is aborted before it began says nothing", async () => {
  const abort = new AbortController();
  abort.abort();
  const heard: string[] = [];
  const hooks = { signal: abort.signal, onText: (delta: string) => heard.push(delta) };
  expect(await createDemoModel({ clock: instant }).respond(request(), hooks)).toEqual({ kind: "aborted" });
  expect(heard).toEqual([]);
});

test("usage is an estimate that grows with the messages and costs nothing", async () => {
  const short = await respond([user(text("hi"))]);
  const long = await respond([user(text("x".repeat(40_000))), assistant(text("y")), user(text("hi"))]);
  expect(short.usage).toMatchObject({ cacheRead: 0, cacheWrite: 0, costMicroUsd: 0 });
  expect(short.usage.input).toBeGreaterThan(prefix.system.length / 4);
  expect(long.usage.input - short.usage.input).toBeGreaterThan(10_000);
  expect(long.usage.output).toBe(short.usage.output);
  expect(createDemoModel({ clock: instant }).window("demo")).toBe(200_000);
});

const said = fc.oneof(fc.constantFrom(...SAID), fc.string({ unit: "grapheme" }));
const resultText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "a.ts:1:const retry = a;",
    "README.md",
    "     1\tretry\n",
    "Approved: ok",
    "Already in Unrestricted mode",
  ),
);

test("every turn ends within six responses, whatever the tools answer", async () => {
  await fc.assert(
    fc.asyncProperty(said, fc.infiniteStream(fc.tuple(resultText, fc.boolean())), async (words, answers) => {
      const { final } = await finish([user(text(words))], async () => {
        const [value, isError] = answers.next().value ?? ["", true];
        return { text: value, isError };
      });
      expect(final).not.toBe("");
    }),
    { numRuns: 300 },
  );
});

const block: fc.Arbitrary<PromptBlock> = fc.oneof(
  said.map(text),
  fc.constant<PromptBlock>({ kind: "image", image: { hash: "h", mediaType: "image/png" } }),
  fc.constant<PromptBlock>({ kind: "opaque", raw: null }),
  fc
    .tuple(fc.nat(5), fc.constantFrom("bash", "patch", "read_image", "?"), fc.jsonValue())
    .map(([id, name, input]) => toolUse(`t${id}`, input, name)),
  fc
    .tuple(fc.nat(5), resultText, fc.boolean())
    .map(([id, value, isError]) => toolResult(`t${id}`, value, isError)),
  fc.constant(text("[Parley] The conversation is now in Unrestricted mode: a person approved it.")),
);
const messages: fc.Arbitrary<readonly PromptMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.array(block, { maxLength: 5 }) }),
  { maxLength: 6 },
);

test("any history gets a valid answer, and the same one again", async () => {
  await fc.assert(
    fc.asyncProperty(messages, async (history) => {
      const outcome = await respond(history);
      const uses = outcome.blocks.flatMap((one) => (one.kind === "toolUse" ? [one] : []));
      expect(outcome.stop).toBe(uses.length > 0 ? "tools" : "end");
      expect(new Set(uses.map(({ id }) => id)).size).toBe(uses.length);
      expect(outcome.blocks[0]).toMatchObject({ kind: "text", text: expect.stringMatching(/\S/) });
      expect(await respond(structuredClone(history))).toEqual(outcome);
    }),
    { numRuns: 300 },
  );
});

test("a conversation that began with the demo model goes on with a real one", async () => {
  const { fake, model } = await harness();
  fake.scriptAlways(scripted("fine"));
  for (const words of SAID.filter((one) => one !== "")) {
    const { messages: history } = await finish([user(text(words))], async () => ({
      text: "a.ts:1:retry",
      isError: false,
    }));
    const outcome = await ask(model, request([...history, user(text("go on"))])).outcome;
    expect(outcome, words).toMatchObject({ kind: "answered" });
  }
  expect(fake.violations).toEqual([]);
});
