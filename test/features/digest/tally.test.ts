/** The laws of a week's digest, over generated questions. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../../src/machine/id.ts";
import type { DigestTurn } from "../../../src/features/digest/ports.ts";
import type { AnswerFeedback } from "../../../src/ports/feedback.ts";
import { createTally } from "../../../src/features/digest/tally.ts";
import { spanOf } from "../../../src/features/digest/week.ts";

const WEEK = "2026-11-16";
const SPAN = spanOf(WEEK) ?? { from: 0, to: 0 };
const REPO = { kind: "url", location: "https://github.com/acme/shop.git" } as const;
const ID = { conversation: "c-1", message: "m-1" } as const;

type Told = Partial<DigestTurn> & {
  readonly cited?: readonly string[];
  readonly isStale?: boolean;
  readonly cost?: number;
};

const turn = (
  question: string | null,
  { cited = [], isStale = false, cost = 0, ...rest }: Told = {},
): DigestTurn => ({
  at: SPAN.from + DAY,
  asker: "slack:U1",
  thread: { surface: "slack", place: "C1", root: "1.1" },
  repo: REPO,
  question,
  answer: { ...ID, cost, cited, isStale, isJudged: false },
  ...rest,
});

const received = (changes: Partial<AnswerFeedback>): AnswerFeedback => ({
  ...ID,
  up: 0,
  down: 0,
  reasons: [],
  solved: null,
  ...changes,
});

const digest = (...turns: readonly (DigestTurn | readonly [DigestTurn, AnswerFeedback])[]) => {
  const tally = createTally(SPAN);
  for (const one of turns) {
    const [asked, got] = "asker" in one ? [one, null] : one;
    tally.add(asked, got);
  }
  return tally.end();
};

const WORDS = ["cart", "total", "login", "getUser", "tax_rate", "redirect", "timeout", "invoice"];
const question = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(" "));
const asked = fc
  .record({
    question: fc.option(question),
    day: fc.integer({ min: -8, max: 8 }),
    isAnswered: fc.boolean(),
    cost: fc.integer({ min: 0, max: 9 }),
    asker: fc.constantFrom("slack:U1", "slack:U2"),
    cited: fc.subarray(["src/a.ts", "docs/a.md", "src/b.ts"]),
  })
  .map(({ question: text, day, isAnswered, asker, ...told }) => ({
    ...turn(text, { at: SPAN.from + day * DAY, asker, ...told }),
    ...(isAnswered ? {} : { answer: null }),
  }));

const at = (days: number) => SPAN.from + days * DAY;

const topicsIn = (all: readonly DigestTurn[]) =>
  digest(...all).topics.map(({ key, name, questions, codeOnly }) => ({ key, name, questions, codeOnly }));

describe("a digest", () => {
  it("counts each question of the week once, in one topic at most, and nothing outside of the week", () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 60 }), (turns) => {
        const sorted = turns.toSorted((a, b) => a.at - b.at);
        const { counts, topics, others, spent, cited } = digest(...sorted);
        const within = sorted.filter(({ at }) => at >= SPAN.from && at < SPAN.to);
        expect(counts.questions).toBe(within.length);
        expect(counts.answered + counts.unanswered).toBe(within.length);
        expect(topics.reduce((sum, one) => sum + one.questions, others)).toBe(
          within.filter((one) => one.question !== null).length,
        );
        expect(spent).toBe(within.reduce((sum, { answer }) => sum + (answer?.cost ?? 0), 0));
        for (const { what, times } of cited)
          expect(times).toBe(within.filter(({ answer }) => answer?.cited.includes(what) === true).length);
        expect(counts.again).toBeLessThanOrEqual(counts.questions);
      }),
      { numRuns: 60 },
    );
  });

  it("has the same topics in whatever order the questions come", () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (turns, chance) => {
        const ranks = new Map(turns.map((one) => [one, chance.next().value ?? 0]));
        const other = turns.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
        expect(topicsIn(other)).toEqual(topicsIn(turns));
      }),
      { numRuns: 60 },
    );
  });

  it("groups what shares a word in any of its forms, and a name of code before a word", () => {
    const { topics, others } = digest(
      turn("Where is the logging configured?"),
      turn("How do I configure logs for `parseConfig`?"),
      turn("Why does parseConfig throw?"),
      turn("What is the tax in Norway?"),
    );
    expect(topics.map(({ name, questions }) => [name, questions])).toEqual([["parseConfig", 2]]);
    expect(others).toBe(2);
    expect(
      digest(turn("Where is the logging configured?"), turn("which logs are kept")).topics[0],
    ).toMatchObject({ questions: 2 });
  });

  it("says what a page would have saved: answers that cite code and no documentation", () => {
    const [topic] = digest(
      turn("retry a webhook", { cited: ["src/hooks.ts"] }),
      turn("webhook retries?", { cited: ["src/hooks.ts", "src/queue.ts"] }),
      turn("do webhooks retry", { cited: ["src/hooks.ts", "docs/hooks.md"] }),
      turn("webhook retry delay", { cited: ["https://docs.example.com/hooks"] }),
      turn("webhook retry in tests", { cited: ["https://github.com/acme/shop/issues/7"] }),
    ).topics;
    expect(topic).toMatchObject({ questions: 5, codeOnly: 3 });
  });

  it("counts what was asked again after an answer: in the same words by anybody, in most of them by the same person", () => {
    const again = (first: string, then: string, told: Told = {}, before: Told = {}) =>
      digest(turn(first, { at: at(-1), ...before }), turn(then, { at: at(2), ...told })).counts.again;
    expect(
      again("How is the cart total rounded?", "how are cart totals rounded", { asker: "slack:U2" }),
    ).toBe(1);
    expect(again("How is the cart total rounded?", "is the cart total rounded twice?")).toBe(1);
    expect(
      again("How is the cart total rounded?", "is the cart total rounded twice?", { asker: "slack:U2" }),
    ).toBe(0);
    expect(again("How is the cart total rounded?", "how is the cart total rounded", { at: at(6.5) })).toBe(0);
    expect(
      again("How is the cart total rounded?", "How is the cart total rounded?", {}, { answer: null }),
    ).toBe(0);
  });

  it("shows thumbs down with their reasons, counts who was helped, and what went stale", () => {
    const { counts, disliked, stale, spent } = digest(
      [turn("a cart question", { cost: 30 }), received({ up: 2, down: 1, reasons: ["It was\noutdated"] })],
      [turn("a login question", { cost: 10, isStale: true }), received({ up: 1 })],
      [turn("another matter"), received({ solved: 5 })],
    );
    expect(counts).toMatchObject({ up: 3, down: 1, solved: 2, stale: 1 });
    expect(disliked).toEqual([{ question: "a cart question", reasons: ["It was outdated"] }]);
    expect(stale).toEqual(["a login question"]);
    expect(spent).toBe(40);
  });

  it("masks what looks like a secret, shows nothing that was taken back, and is well without a question", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const told = digest(
      [turn(`why does ${secret} fail`, { answer: null }), received({ down: 1, reasons: [`try ${secret}`] })],
      turn(null),
    );
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(told.unanswered).toEqual(["why does ‹masked› fail"]);
    expect(told.counts.questions).toBe(2);
    expect(digest()).toMatchObject({ week: WEEK, topics: [], counts: { questions: 0 }, cited: [] });
  });
});
