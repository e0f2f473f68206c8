/**
 * Answers that are held, where those look at them: the process is ended after everything that it does there, and the
 * next one leaves each answer put once, and decided in one line without anybody's words.
 */

import { describe, expect, it, vi } from "vitest";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Cards } from "../../../src/ports/review.ts";
import type { Content, SendOutcome } from "../../../src/ports/surface.ts";
import { createReview } from "../../../src/features/answers/review.ts";
import { createReviewCards } from "../../../src/features/answers/review-cards.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createWorld, operator, textAnswer } from "../../runtime/world.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import type { Language } from "../../../src/i18n/say.ts";
import { openMemory } from "../../store/in-memory.ts";
import { looks } from "../../looks.ts";

const PLACE = "B";
/** Two messages of the limit below. */
const ANSWER = Array.from({ length: 60 }, (_, line) => `Line ${line} says where the cart is emptied.`).join(
  "\n\n",
);
const LIMITS = { ...slackLimits, text: 1_500 };

const gone = (what: "thread" | "message"): SendOutcome => ({ kind: "gone", what, why: `no ${what}` });

/** A channel as its platform keeps it. */
const createChannel = () => {
  const messages = new Map<string, Content>();
  let isThere = true;
  const cards: Cards = {
    show: (_place, { id, content, edits }) => {
      if (!isThere) return Promise.resolve(gone("thread"));
      if (edits !== null && !messages.has(edits)) return Promise.resolve(gone("message"));
      messages.set(edits ?? id, content);
      return Promise.resolve({ kind: "done", id: edits ?? id });
    },
    remove: (_place, message) =>
      Promise.resolve(messages.delete(message) ? { kind: "done", id: message } : gone("message")),
  };
  return { messages, cards, close: () => (isThere = false), open: () => (isThere = true) };
};

const soon = (holds: () => void): Promise<void> => vi.waitFor(holds, { interval: 2 });

const never = new Promise<never>(() => undefined);

const held = async (languageAt: (place: string) => Language = () => "en") => {
  const opened = openMemory();
  const reviewCards = createReviewCards(opened.rows, silentLog);
  let world = createWorld({ store: opened.store, reviewedIn: PLACE });
  const id = await world.begin();
  await opened.ledger.bind({ conversation: id, surface: "slack", place: "A", root: "1" });
  await world.say(id, "where is the cart emptied?");
  (await world.nextModel()).answer(textAnswer(ANSWER));
  await soon(() => expect(opened.store.pendingQuestion(id)?.type).toBe("answer"));
  const channel = createChannel();
  const told = new Map<string, string | null>();
  let review: ReturnType<typeof createReview> | null = null;

  /** A new process, which ends with its `end`th deed; the one before has done nothing but what is stored. Answers how many it has done. */
  const start = (end = 0): (() => number) => {
    world = world.restart();
    let deeds = 0;
    let isOver = false;
    const doing = async <T>(deed: () => Promise<T>): Promise<T> => {
      if (isOver) return never;
      deeds += 1;
      if (deeds !== end) return deed();
      isOver = true;
      await deed();
      return never;
    };
    const next = createReview({
      ...opened,
      reviewCards: {
        ...reviewCards,
        put: (...row) => doing(() => reviewCards.put(...row)),
        drop: (...row) => doing(() => reviewCards.drop(...row)),
      },
      name: "slack",
      toolLooks: looks,
      bot: world.bot,
      cards: {
        show: (...card) => doing(() => channel.cards.show(...card)),
        remove: (...card) => doing(() => channel.cards.remove(...card)),
      },
      rendererAt: (place) => slackRenderer(sayIn(languageAt(place))),
      limits: LIMITS,
      link: () => Promise.resolve("https://slack.example/A/1"),
      days: 3,
      reached: (place, why) => void told.set(place, why),
      clock: world.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    review = next;
    next.start();
    world.bot.subscribe(id, (change) => {
      if (review === next) next.heard(id, change);
    });
    return () => deeds;
  };
  const decide = async (choice: "send" | "discard") => {
    const question = opened.store.pendingQuestion(id)?.wire ?? "";
    expect(
      await world.bot.act(id, { kind: "decide", question, choice, by: operator, comment: null }),
    ).toEqual({
      kind: "done",
    });
  };
  const texts = (): string => [...channel.messages.values()].map((one) => JSON.stringify(one)).join("\n");
  return {
    id,
    clock: () => world.clock,
    bot: () => world.bot,
    opened,
    cardsShown: () => reviewCards.all("slack"),
    channel,
    start,
    decide,
    texts,
    told,
  };
};

describe("answers that wait", () => {
  it("are put once, and end in one line, whenever the process ends", async () => {
    for (const phase of ["putting", "ending"] as const) {
      for (let at = 1; at <= 3; at += 1) {
        const { start, decide, channel, texts, cardsShown } = await held();
        const isPut = () => expect(texts()).toMatch(/where is the cart[^]*Line 0[^]*Line 59[^]*"send"/);
        const first = start(phase === "putting" ? at : 0);
        if (phase === "putting") await soon(() => expect(first()).toBe(at));
        else {
          await soon(isPut);
          await soon(() => expect(cardsShown()[0]?.messages).toHaveLength(2));
          const second = start(at + 3);
          await soon(() => expect(second()).toBe(3));
          await decide("send");
          await soon(() => expect(second()).toBe(at + 3));
        }
        start();
        if (phase === "putting") {
          await soon(isPut);
          await decide("send");
        }
        await soon(() => expect(cardsShown()).toEqual([]));
        expect(channel.messages.size).toBe(1);
        expect(texts()).toMatch(/Sent by[^]*console:operator/);
        expect(texts()).not.toMatch(/Line \d|where is the cart|"action"/);
      }
    }
  });

  it("are put again within the hour where somebody deleted them", async () => {
    const { start, channel, texts, clock } = await held();
    start();
    await soon(() => expect(texts()).toMatch(/Line 59/));
    channel.messages.clear();
    clock().advance(61 * 60_000);
    await soon(() => expect(texts()).toMatch(/Line 0[^]*Line 59/));
    expect(channel.messages.size).toBe(2);
  });

  it("speak the language of the channel that they stand in, to their end", async () => {
    const { start, decide, texts } = await held((place) => (place === PLACE ? "de" : "ja"));
    start();
    await soon(() => expect(texts()).toMatch(/Line 59[^]*Bearbeiten und senden/));
    await decide("send");
    await soon(() => expect(texts()).toMatch(/Gesendet/));
  });

  it("leave no words where their conversation is removed", async () => {
    const { id, bot, start, channel, texts, cardsShown } = await held();
    start();
    await soon(() => expect(texts()).toMatch(/Line 59/));
    await bot().remove(id, "console:operator");
    await soon(() => expect(cardsShown()).toEqual([]));
    expect(channel.messages.size).toBe(1);
    expect(texts()).toMatch(/No longer asked/);
  });

  it("are put as soon as their channel takes them; until then the thread and the operator know, once", async () => {
    const { id, start, channel, texts, clock, opened, told } = await held();
    channel.close();
    start();
    const notices = () =>
      opened.store
        .posts(id, 0)
        .flatMap(({ post: { body } }) => (body.kind === "notice" ? [JSON.stringify(body.notice)] : []));
    await soon(() => expect(notices().join()).toContain("unreachable"));
    expect(told.get(PLACE)).toBe("no thread");
    clock().advance(61 * 60_000);
    channel.open();
    clock().advance(61 * 60_000);
    await soon(() => expect(texts()).toMatch(/Line 59/));
    expect(told.get(PLACE)).toBeNull();
    expect(notices()).toHaveLength(1);
  });

  it("are told of once where nobody decides for days", async () => {
    const { id, start, clock, bot, opened } = await held();
    start();
    const late = () =>
      opened.store.posts(id, 0).filter(({ post }) => JSON.stringify(post.body).includes('"late"'));
    for (let day = 0; day < 5; day += 1) {
      for (let hour = 0; hour < 24; hour += 1) clock().advance(61 * 60_000);
      await bot().read(id);
    }
    clock().advance(61 * 60_000);
    await soon(() => expect(late()).toHaveLength(1));
  });
});
