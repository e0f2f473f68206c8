/** WD12 Names of threads: what people see of a message, without what a spoiler hides. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { threadNameOf } from "../../../../adapters/discord/write/thread-name.ts";
import { ofWhole } from "../../../sample.ts";
import { hostileTexts } from "../../hiding.ts";

it.each([
  ["why is `a || b || c` slow?", "why is a b c slow?"],
  ["```ts\nconst x = a || b || c;\n```", "const x = a b c;"],
  ["what does ``x || y`` do, and `p || q`?", "what does x y do, and p q ?"],
  ["who is ||the murderer|| here?", "who is here?"],
  ["||hidden `code` too|| shown", "shown"],
  ["one || bar hides nothing", "one bar hides nothing"],
  ["`unclosed || code || goes on", "unclosed goes on"],
  ["||||", "Parley"],
  ["see <@everyone and <:smile: here", "see @everyone and :smile: here"],
])("WD12 %j becomes %j", (text, name) => {
  expect(threadNameOf(text)).toBe(name);
});

it("39.A2 a thread's name is one line that says something, calls nobody and hides no character", () => {
  fc.assert(
    fc.property(fc.array(hostileTexts, { minLength: 1, maxLength: 3 }), (texts) => {
      const name = threadNameOf(texts.join(""));
      expect(name).not.toMatch(/[\n\r\u0085\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(name).not.toMatch(/<[@#:]|\|\||`/);
      expect(name.isWellFormed()).toBe(true);
      expect(name.trim()).not.toBe("");
      expect(Array.from(name).length).toBeLessThanOrEqual(100);
    }),
    { numRuns: ofWhole(500, 60) },
  );
});
