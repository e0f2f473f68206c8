/** What a channel is told of a week: short whatever people said, and nobody's words among the host's. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Digest } from "../../../src/features/digest/digest.ts";
import { cardOf } from "../../../src/features/digest/card.ts";
import { createTally } from "../../../src/features/digest/tally.ts";
import { spanOf } from "../../../src/features/digest/week.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import { english } from "../../../src/i18n/say.ts";

const WEEK: Digest = createTally(spanOf("2026-11-16") ?? { from: 0, to: 0 }).end();

it("says so where nobody asked", () => {
  expect(cardOf(WEEK, english)).toEqual({
    text: "No questions were asked in the week of 2026-11-16. The answers cost $0.00.",
  });
});

it("a channel reads it in its language", () => {
  expect(cardOf({ ...WEEK, unanswered: ["where?"] }, sayIn("de"))).toEqual({
    text: "In der Woche ab 2026-11-16 hat niemand etwas gefragt. Die Antworten kosteten $0.00.",
    words: "Ohne Antwort:\n• where?",
  });
});

it("people's words are quoted below, cut to what one message holds", () => {
  const words = fc.string({ minLength: 1, maxLength: 4_000 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 10 }), words, (said, name) => {
      const topic = {
        key: "0123456789ab",
        name,
        repo: { kind: "url", location: "x" },
        questions: 9,
        unanswered: 0,
        down: 0,
        again: 0,
        codeOnly: 9,
        isMissed: true,
        asked: [],
      } as const;
      const card = cardOf(
        {
          ...WEEK,
          counts: { ...WEEK.counts, questions: 9 },
          topics: [topic],
          unanswered: said,
          disliked: said.map((question) => ({ question, reasons: said })),
        },
        english,
      );
      expect(card.words?.length ?? 0).toBeLessThanOrEqual(1_400);
      expect(card.text).toBe(
        "Questions in the week of 2026-11-16: 9 in 0 channels. 0 answered, 0 without an answer, 0 asked again after an answer, 0 thumbs down, 0 answers gone stale. The answers cost $0.00. A documentation page is missing: 9 questions about this topic were answered from code alone.",
      );
      expect(card.button).toMatchObject({ action: { feature: "page" }, value: "2026-11-16/0123456789ab" });
    }),
    { numRuns: 30 },
  );
});
