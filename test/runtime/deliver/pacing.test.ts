/**
 * How calls are spent when many answers are written at once: the real budgets, queue and pace, by a clock that the test moves,
 * against the limits that Slack's stand-in keeps. Every answer streams from a moment of its own; between two of its changes lies
 * what its share allows; people are asked questions meanwhile.
 */

import fc from "fast-check";
import { expect, it } from "vitest";
import { discordLimits } from "../../../adapters/discord/write/surface.ts";
import { streamId } from "../../../adapters/slack/write/stream-id.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Budget, CallKind, Limits, Thread } from "../../../src/ports/surface.ts";
import { createCallBudgets, type CallRank } from "../../../src/runtime/deliver/call-budgets.ts";
import { createPace } from "../../../src/runtime/deliver/pace.ts";
import { createQueue, type CallSpend, type WaitingSend } from "../../../src/runtime/deliver/queue.ts";
import { createVirtualClock } from "../../fakes/shared/clock.ts";
import { createRateLimiter, type Tier } from "../../fakes/slack/rules/tiers.ts";

const TICK = 50;

interface Answer {
  readonly thread: Thread & { readonly conversation: `c-${number}` };
  readonly from: number;
  readonly until: number;
}

interface Made {
  readonly at: number;
  readonly who: string;
  readonly rank: CallRank;
  readonly budget: string;
}

interface Scene {
  readonly limits: Pick<Limits, "budgetOf" | "editEvery" | "editAtMost">;
  /** There are messages that grow in the platform's own way. */
  readonly begins: boolean;
  readonly answers: readonly Answer[];
  /** When one is asked in the first answer's channel. */
  readonly questions: readonly number[];
}

/** Every call in order. Throws at one that the platform would refuse. */
const play = (
  { limits, begins, answers, questions }: Scene,
  isRefused: (made: Made, place: string) => boolean,
) => {
  const clock = createVirtualClock(0);
  const budgets = createCallBudgets(clock, () => {});
  const queue = createQueue<string>(budgets);
  const made: Made[] = [];
  const spend = (call: CallKind, thread: Thread, id: string | null = null): CallSpend => ({
    call,
    budget: limits.budgetOf(call, thread, id),
  });
  const people = questions.map((at, index) => ({ at, who: `q${index}`, isAsked: false }));
  const posts = answers.map((answer) => ({
    ...answer,
    who: answer.thread.conversation,
    pace: createPace(clock, () => {}),
    id: null as string | null,
    isOver: false,
  }));
  const place = answers[0]?.thread;

  const wants = (post: (typeof posts)[number]): WaitingSend | null => {
    const { thread, id } = post;
    const isWhole = clock.now() >= post.until;
    if (post.isOver || clock.now() < post.from) return null;
    if (id !== null && isWhole) return { rank: "change", spends: [spend("finish", thread, id)] };
    if (id !== null)
      return post.pace.ready() ? { rank: "growth", spends: [spend("edit", thread, id)] } : null;
    const begin = begins ? [spend("begin", thread)] : [];
    return {
      rank: "message",
      spends: isWhole ? [spend("send", thread), ...begin] : [...begin, spend("send", thread)],
    };
  };

  const served = (post: (typeof posts)[number], rank: string, { call, budget }: CallSpend): void => {
    const { thread } = post;
    const isWhole = clock.now() >= post.until;
    if (post.id === null) post.id = call === "begin" ? streamId("1.0") : "1.0";
    if (rank === "change" || (call === "send" && isWhole)) {
      post.isOver = true;
      budgets.grows(thread.conversation, null);
      return;
    }
    const growing = {
      grows: spend("edit", thread, post.id).budget,
      ends: spend("finish", thread, post.id).budget,
    };
    post.pace.begun(budgets.interval(rank === "growth" ? budget : growing.grows, limits));
    budgets.grows(thread.conversation, growing);
  };

  const pump = (): void => {
    for (const post of posts) queue.file(post.who, wants(post));
    for (const one of people)
      if (place !== undefined && !one.isAsked && clock.now() >= one.at)
        queue.file(one.who, { rank: "question", spends: [spend("send", place)] });
    for (let first = queue.first(); first !== null; first = queue.first()) {
      const { id: who, rank, spend: by } = first;
      if (by === null || rank === "disk") throw new Error("nothing is written here");
      const post = posts.find((one) => one.who === who);
      const person = people.find((one) => one.who === who);
      queue.file(who, null);
      budgets.take(by.budget);
      const call: Made = { at: clock.now(), who, rank, budget: by.budget.name };
      if (isRefused(call, (post?.thread ?? place)?.place ?? ""))
        throw new Error(`too fast: ${JSON.stringify(call)}`);
      made.push(call);
      if (person !== undefined) person.isAsked = true;
      if (post !== undefined) served(post, rank, by);
    }
  };

  while (posts.some(({ isOver }) => !isOver) || people.some(({ isAsked }) => !isAsked)) {
    pump();
    clock.advance(TICK);
    if (clock.now() > 600_000) throw new Error("it does not end");
  }
  return made;
};

const TIERS: Readonly<Record<string, Tier>> = {
  "chat.startStream": 2,
  "chat.stopStream": 2,
  "chat.appendStream": 4,
  "chat.update": 3,
};

const scene = (most: number) =>
  fc
    .record({
      count: fc.integer({ min: 1, max: most }),
      channels: fc.integer({ min: 1, max: most }),
      lasts: fc.integer({ min: 1_000, max: 40_000 }),
      spread: fc.constantFrom(0, 0, 10_000),
      questions: fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 3 }),
    })
    .map(({ count, channels, lasts, spread, questions }) => ({
      questions,
      channels: Math.min(channels, count),
      answers: Array.from({ length: count }, (_, index): Answer => {
        const from = Math.floor((spread * index) / count);
        const conversation = `c-${index}` as const;
        const place = `C${index % channels}`;
        return {
          thread: { conversation, surface: "slack", place, root: `${index}` },
          from,
          until: from + lasts,
        };
      }),
    }));

/** Calls that Slack publishes for any minute. */
const PUBLISHED: Readonly<Record<string, number>> = {
  "chat.startStream": 20,
  "chat.stopStream": 20,
  "chat.appendStream": 100,
  "chat.update": 50,
};

const paced = (given: Pick<Scene, "answers" | "questions">): readonly Made[] => {
  const clock = { now: (): number => at, after: () => () => {} };
  let at = 0;
  const limiter = createRateLimiter(clock, {});
  return play({ ...given, limits: slackLimits, begins: true }, ({ at: now, budget }, place) => {
    at = now;
    const [method = ""] = budget.split(" ");
    return limiter.take(method, TIERS[method] ?? "post", place) !== undefined;
  });
};

it("makes no more calls of a method in any minute than Slack publishes", () => {
  fc.assert(
    fc.property(scene(60), (given) => {
      const made = paced(given);
      for (const [method, most] of Object.entries(PUBLISHED)) {
        const times = made.filter(({ budget }) => budget === method).map(({ at }) => at);
        for (const [index, at] of times.entries())
          expect((times[index + most] ?? Infinity) - at).toBeGreaterThanOrEqual(60_000);
      }
    }),
    { numRuns: 25 },
  );
});

it("appends to an answer that is alone about every 0.65 s, however long it is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 5_000, max: 230_000 }), (lasts) => {
      const thread = { conversation: "c-0", surface: "slack", place: "C0", root: "0" } as const;
      const made = paced({ answers: [{ thread, from: 0, until: lasts }], questions: [] });
      const appends = made.filter(({ budget }) => budget === "chat.appendStream").map(({ at }) => at);
      for (const [index, at] of appends.entries())
        expect(at - (appends[index - 1] ?? 0)).toBeLessThanOrEqual(653 + 2 * TICK);
      expect(made.at(-1)).toMatchObject({ budget: "chat.stopStream", at: Math.ceil(lasts / TICK) * TICK });
    }),
    { numRuns: 25 },
  );
});

it("keeps Slack's limits, begins fifteen streams a minute at most, whatever is written, and brings everything", () => {
  fc.assert(
    fc.property(scene(60), (given) => {
      const made = paced(given);
      const begun = made.filter(({ budget }) => budget === "chat.startStream").map(({ at }) => at);
      for (const at of begun)
        expect(begun.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(15);
      for (const { thread } of given.answers)
        expect(made.some(({ who, rank }) => who === thread.conversation && rank !== "growth")).toBe(true);
    }),
    { numRuns: 25 },
  );
});

/**
 * When so many first texts can stand at the earliest: ten streams at once and one every twelve seconds, and in each channel
 * five messages at once and one a second.
 */
const earliest = (count: number, channels: number): number =>
  Math.max(0, (count - 10 - 5 * channels) / (1 / 12 + channels)) * 1_000;

it("shows the first text of each answer within 1.3 times what the limits allow", () => {
  fc.assert(
    fc.property(scene(60), ({ answers, channels }) => {
      const began = answers.map(({ thread, from }) => ({ thread, from }));
      const made = paced({ answers, questions: [] });
      const last = Math.max(
        ...began.map(
          ({ thread, from }) => (made.find(({ who }) => who === thread.conversation)?.at ?? Infinity) - from,
        ),
      );
      expect(last).toBeLessThanOrEqual(1.3 * earliest(answers.length, channels) + 2_000);
    }),
    { numRuns: 25 },
  );
});

it("changes a message that grows within five seconds, and what all of them and their ends spend is shared in turn", () => {
  fc.assert(
    fc.property(scene(60), (given) => {
      const made = paced({ ...given, questions: [] });
      for (const { thread } of given.answers) {
        const own = made.filter(({ who }) => who === thread.conversation);
        for (const [index, { at, budget }] of own.slice(1).entries()) {
          const every =
            budget === "chat.appendStream"
              ? 60_000 / 92
              : budget === "chat.update"
                ? 60_000 / 46
                : 60_000 / 18;
          expect(at - (own[index]?.at ?? 0)).toBeLessThanOrEqual(5_000 + given.answers.length * every * 1.5);
        }
      }
    }),
    { numRuns: 25 },
  );
});

it("never lets a change go before a first text, nor a first text before a question, that the same budget would pay", () => {
  const urgency: readonly CallRank[] = ["question", "message", "change", "growth"];
  const scarce: Budget = { name: "all", burst: 10, every: 300 };
  fc.assert(
    fc.property(scene(30), (given) => {
      const limits = { ...discordLimits, budgetOf: () => scarce };
      const made = play({ ...given, limits, begins: false }, () => false);
      const firsts = new Map(given.answers.map(({ thread, from }) => [thread.conversation as string, from]));
      for (const [index, at] of given.questions.entries()) firsts.set(`q${index}`, at);
      for (const [who, from] of firsts) {
        const own = made.findIndex((call) => call.who === who);
        const rank = made[own]?.rank ?? "live";
        const overtaken = made
          .slice(0, own)
          .filter((call) => call.at >= from + TICK && call.at < (made[own]?.at ?? 0));
        for (const call of overtaken)
          expect(urgency.indexOf(call.rank)).toBeLessThanOrEqual(urgency.indexOf(rank));
      }
    }),
    { numRuns: 25 },
  );
});
