/** Where sentences end, in English, Chinese and Japanese. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { hasSentence } from "../../src/text/sentence.ts";

const WORDS = "the limit is checked on every call and the rest waits for the next minute of the hour";

it.each([
  ["a period", `${WORDS}. `],
  ["a question mark", `${WORDS}? `],
  ["an exclamation mark, at the end of a line", `${WORDS}!\n`],
  ["a mark inside quotes", `"${WORDS}." `],
  ["a mark inside bold text", `**${WORDS}.** `],
  ["a sentence before the next one", `${WORDS}. The next one`],
  ["code before the mark", `${WORDS} in \`a.ts\`. `],
  ["an address before the mark", `${WORDS}, see https://example.com/a. `],
  ["a version before the mark", `${WORDS} since 24.1. `],
  ["a Chinese mark, without a space", `${"限制在每次调用时检查其余的等待".repeat(2)}。然后`],
  ["a Japanese mark inside quotes", `「${"呼び出しのたびに確認します".repeat(3)}！」`],
  ["a short sentence before a long one", `Yes. ${WORDS[0]?.toUpperCase()}${WORDS.slice(1)}. `],
])("%s ends a sentence", (_, text) => expect(hasSentence(text, 80)).toBe(true));

it.each([
  ["text that has not ended", WORDS],
  ["a mark at the end, which may be part of a longer word", `${WORDS} in config.`],
  ["an abbreviation", `${WORDS}, e.g. `],
  ["an abbreviation before a name", `${WORDS} by Dr. Ada`],
  ["the initial of a name", `${WORDS} by J. Doe`],
  ["a file name", `${WORDS} in limit.ts and`],
  ["a version", `${WORDS} since 24.1.0 and`],
  ["an address with a mark", `${WORDS} at https://example.com/?q=a.b and`],
  ["a number of a list", `${WORDS}\n1. `],
  ["an ellipsis", `${WORDS} ... `],
  ["a period before a lower-case word", `${WORDS} no. five of`],
  ["a mark in code", `${WORDS} as in \`wait. Then\``],
  ["a mark in code that has not ended", `${WORDS} as in \`wait. Then`],
  ["a mark in a fence", `${WORDS}:\n\`\`\`\nWait. Then\n\`\`\`\n`],
])("%s ends none", (_, text) => expect(hasSentence(text, 80)).toBe(false));

it("counts the bytes of the sentence, not those of the text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.constantFrom("a", "é", "字"), (length, letter) => {
      const sentence = `The${letter.repeat(length)}.`;
      const bytes = Buffer.byteLength(sentence);
      expect(hasSentence(`Yes. ${sentence} `, bytes)).toBe(true);
      expect(hasSentence(`Yes. ${sentence} `, bytes + 1)).toBe(false);
    }),
  );
});
