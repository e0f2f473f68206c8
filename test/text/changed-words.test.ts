import fc from "fast-check";
import { expect, it } from "vitest";
import { changedWords } from "../../src/text/changed-words.ts";

const LONG = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");

it("a short text stands in its old and new words", () => {
  expect(changedWords("Is retry.ts used?", "Is backoff.ts used?")).toBe(
    "Old: Is retry.ts used?\nNew: Is backoff.ts used?",
  );
});

it("of a long text only what changed stands, with three words around it", () => {
  expect(changedWords(LONG, LONG.replace("word20 ", "other ").replace("word40", "two words"))).toBe(
    [
      "Old: … word17 word18 word19 word20 word21 word22 word23 …",
      "New: … word17 word18 word19 other word21 word22 word23 …",
      "Old: … word37 word38 word39 word40 word41 word42 word43 …",
      "New: … word37 word38 word39 two words word41 word42 word43 …",
    ].join("\n"),
  );
});

it("what was added at the end or taken away stands by itself", () => {
  expect(changedWords(LONG, `${LONG} And the tests.`)).toBe(
    "Old: … word57 word58 word59\nNew: … word57 word58 word59 And the tests.",
  );
  expect(changedWords(`Please: ${LONG}`, LONG)).toBe(
    "Old: Please: word0 word1 word2 …\nNew: word0 word1 word2 …",
  );
});

it("changes that touch each other are one", () => {
  const after = LONG.replace("word20 ", "a ").replace("word22 ", "b ");
  expect(changedWords(LONG, after)?.split("\n")).toHaveLength(2);
});

it("a text that is written anew, or differs in its spaces alone, is easier to read as it is", () => {
  expect(changedWords(LONG, LONG.toUpperCase().replaceAll("WORD", "w"))).toBeNull();
  expect(changedWords("a\n\nb", "a b")).toBeNull();
});

it("every new word stands in the difference, and a text without a change has none", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 80 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const shown = changedWords(before, after);
      if (before === after) expect(shown).toBeNull();
      const known = new Set(before.split(" "));
      for (const word of after.split(" "))
        if (shown !== null && !known.has(word)) expect(shown).toContain(word);
    }),
  );
});
