/** 39.A3: gateways that count calls anew in each response (`call_0`) leave a history whose ids are each there once. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createCallIds, withDistinctIds } from "../../src/model/distinct-ids.ts";
import type { PromptBlock, PromptMessage } from "../../src/thread/prompt.ts";
import { testSeed } from "../seed.ts";

const use = (id: string): PromptBlock => ({ kind: "toolUse", id, name: "bash", input: {} });
const result = (id: string): PromptBlock => ({
  kind: "toolResult",
  id,
  text: "done",
  isError: false,
  images: [],
});

/** Each round: the ids of its calls, all different. */
const rounds = fc.array(
  fc.uniqueArray(fc.constantFrom("call_0", "call_1", "call_0-2", "t"), { minLength: 1, maxLength: 3 }),
  { maxLength: 5 },
);

const historyOf = (calls: readonly (readonly string[])[]): readonly PromptMessage[] =>
  calls.flatMap((ids): readonly PromptMessage[] => [
    { role: "assistant", content: ids.map(use) },
    { role: "user", content: ids.toReversed().map(result) },
  ]);

const idsIn = ({ content }: PromptMessage): readonly string[] =>
  content.flatMap((block) => (block.kind === "toolUse" || block.kind === "toolResult" ? [block.id] : []));

it("each id is there once, and each result follows its call", () => {
  fc.assert(
    fc.property(rounds, (calls) => {
      const sent = withDistinctIds(historyOf(calls));
      const used = sent.filter(({ role }) => role === "assistant").map(idsIn);
      expect(new Set(used.flat()).size).toBe(used.flat().length);
      const answered = sent.filter(({ role }) => role === "user").map((one) => idsIn(one).toReversed());
      expect(answered).toEqual(used);
    }),
    { seed: testSeed() },
  );
});

it("a longer history has the messages of a shorter one, the same objects", () => {
  fc.assert(
    fc.property(rounds, (calls) => {
      const history = historyOf(calls);
      const whole = withDistinctIds(history);
      const part = withDistinctIds(history.slice(0, 3));
      for (const [index, message] of part.entries()) expect(whole[index]).toBe(message);
    }),
    { seed: testSeed() },
  );
});

it("a history with each id once is left as it is", () => {
  const history = historyOf([["a"], ["b", "c"]]);
  for (const [index, message] of withDistinctIds(history).entries()) expect(message).toBe(history[index]);
  const ids = createCallIds();
  expect([ids.ofUse("a"), ids.ofResult("a"), ids.ofUse("a"), ids.ofResult("a")]).toEqual([
    "a",
    "a",
    "a-2",
    "a-2",
  ]);
});
