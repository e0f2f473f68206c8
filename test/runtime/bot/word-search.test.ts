/** Many words are found in one pass, as one search for each would find them. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createWordSearch } from "../../../src/runtime/bot/word-search.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "\ud83d\ude00"), minLength: 1, maxLength: 5 });

/** Which units any of the words covers. */
const naive = (words: readonly string[], text: string): readonly boolean[] => {
  const covered = text.split("").map(() => false);
  for (const one of words)
    for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1))
      covered.fill(true, at, at + one.length);
  return covered;
};

it("they cover what a search for each word covers", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "\ud83d\ude00"), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), text, (words, within) => {
      const covered = within.split("").map(() => false);
      for (const { from, to } of createWordSearch(words)(within)) covered.fill(true, from, to);
      expect(covered).toEqual(naive(words, within));
    }),
    { numRuns: 1_000 },
  );
});

it("five thousand of them cost about as much as five", () => {
  const text = "the quick brown fox 12345678 ".repeat(20_000);
  const spent = (count: number): number => {
    const find = createWordSearch(Array.from({ length: count }, (_, at) => `word-${at}-${at * 7}`));
    // The collector may be at work in one of them.
    const taken = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage();
      find(text);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    });
    return Math.min(...taken);
  };
  const few = spent(5);
  const many = spent(5_000);
  console.info(`one pass: ${few} µs for five words, ${many} µs for five thousand`);
  expect(many / few).toBeLessThan(20);
});
