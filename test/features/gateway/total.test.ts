/** Of any Markdown the gateway makes its list of sources. */

import fc from "fast-check";
import { it } from "vitest";
import { sourcesBelow } from "../../../src/features/gateway/turn.ts";
import { mentionsOf } from "../../../src/text/mentions.ts";
import { anyText, POISONS } from "../../adapters/any-text.ts";
import { TEXTS } from "../../linear/texts.ts";
import { conversationOf } from "../../store/plain.ts";

const show = (text: string) => {
  const citations = mentionsOf(text).map((one) => ({ ...one, status: "missing", file: null }) as const);
  return sourcesBelow({ kind: "answer", blocks: [{ kind: "text", text }], citations }, conversationOf("c-1"));
};

it("any Markdown", () => {
  fc.assert(
    // A reader that throws fails the property.
    fc.property(anyText, (text) => void show(text)),
    { numRuns: 150 },
  );
});

it.each(POISONS)("%s, thousands deep", (_, poison) => {
  show(`${poison}\n\nthe end`);
});

it("40,000 of any one character or pair", () => {
  for (const { of } of TEXTS.filter(({ name }) => name.length <= 6)) show(of(40_000));
});
