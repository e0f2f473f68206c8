/** WD12 Names of threads: what people see of a message, without what a spoiler hides. */

import { expect, it } from "vitest";
import { nameOf } from "../../../../adapters/discord/write/thread-name.ts";

it.each([
  ["why is `a || b || c` slow?", "why is a b c slow?"],
  ["```ts\nconst x = a || b || c;\n```", "const x = a b c;"],
  ["what does ``x || y`` do, and `p || q`?", "what does x y do, and p q ?"],
  ["who is ||the murderer|| here?", "who is here?"],
  ["||hidden `code` too|| shown", "shown"],
  ["one || bar hides nothing", "one bar hides nothing"],
  ["`unclosed || code || goes on", "unclosed goes on"],
  ["||||", "Parley"],
])("WD12 %j becomes %j", (text, name) => {
  expect(nameOf(text)).toBe(name);
});
