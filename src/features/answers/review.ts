/**
 * Posts held answers to the review channel, and replaces each card by its outcome. Works from the store. Once an hour, and at
 * each start, the task checks whether the posted cards still exist, and posts deleted cards again. If no channel accepts an
 * answer, the task notifies the thread and the operator, and tries again. The thread is also notified if no maintainer decides
 * for days.
 */

import { DAY, HOUR, type Millis, type PersonId } from "../../machine/id.ts";
import type { ReviewDelay } from "../../machine/vocabulary.ts";
import type { AttendedRoom } from "../../ports/attendant.ts";
import type { QuestionRow, StoredConversation } from "../../ports/store.ts";
import { type Content, mayPass, type SendFailure, whyOf } from "../../ports/surface.ts";
import { createRepeatingTask, startHourly } from "../../runtime/bot/repeating-task.ts";
import type { ReviewCard, ReviewCards } from "./review-cards.ts";
import { isPendingReview, endedAnswer, pendingAnswer } from "./pending-review.ts";
import { onQuestionChange } from "../../runtime/chat/question-changes.ts";

const AGAIN: Millis = 30_000;
const HOST: PersonId = "parley:review";

interface ReviewDeps extends Omit<AttendedRoom, "alert"> {
  readonly reviewCards: ReviewCards;
  /** Days without a decision after which the thread is notified. */
  readonly days: number;
  /** Reports whether the channel accepts the answer: null if the channel does, otherwise the reason. */
  readonly reached: (place: string, why: string | null) => void;
}

export const createReview = (deps: ReviewDeps) => {
  const { name, store, chat, reviewCards, ledger, bot, cards, rendererAt, limits, clock, log } = deps;
  let looks = true;

  const rounds = createRepeatingTask(clock, async () => {
    const isLook = looks;
    looks = false;
    const known = new Map(reviewCards.all(name).map((card) => [card.wire, card]));
    for (const { conversation } of chat.waiting(name)) {
      const question = store.pendingQuestion(conversation);
      const stored = question === null ? null : store.load(conversation);
      if (stored === null || !isPendingReview(question, stored.state) || rounds.ending.aborted) continue;
      const card = known.get(question.wire) ?? null;
      known.delete(question.wire);
      if (card === null || isLook) await put(stored, question, card);
      await tellLate(question);
    }
    for (const card of known.values()) if (!rounds.ending.aborted) await end(card);
  });

  const hourly = startHourly(clock, HOUR, () => {
    looks = true;
    rounds.wake();
  });

  /** Prefers the channel of the posted card, then the current review channel, then the original one. */
  const put = async (
    stored: StoredConversation,
    question: QuestionRow,
    card: ReviewCard | null,
  ): Promise<void> => {
    const thread = ledger.thread(question.conversation);
    const { phase, turn } = stored.state;
    if (thread === null || phase.kind !== "awaitingApproval") return;
    const { question: asked } = phase;
    if (asked.id !== question.question) return;
    const held = pendingAnswer(deps, stored, question, await deps.link(thread));
    if (held === null) return;
    const wanted = chat.channel(name, thread.place)?.review ?? null;
    const first = asked.kind === "answer" ? asked.place : (turn.reviewed ?? null);
    const places = new Set([card?.place ?? null, wanted, first].flatMap((one) => one ?? []));
    for (const place of places) {
      const stands = card?.place === place ? card.messages : [];
      const shown = await show(
        { wire: question.wire, place, messages: stands },
        rendererAt(place).review(held, limits),
        question.askedAt,
      );
      if (shown === null) return deps.reached(place, null);
      if (mayPass(shown)) return postpone(shown);
      deps.reached(place, whyOf(shown));
    }
    await tell(stored, "unreachable", 0);
  };

  /** Returns null if the card is posted completely. Posted messages are recorded even after a failure. */
  const show = async (
    card: ReviewCard,
    contents: readonly Content[],
    since: Millis,
  ): Promise<SendFailure | null> => {
    const messages: string[] = [];
    let trouble: SendFailure | null = null;
    for (const [index, content] of contents.entries()) {
      const one = { id: `${card.wire}/${index}`, content, since };
      const before = card.messages[index] ?? null;
      let outcome = await cards.show(card.place, { ...one, edits: before });
      if (before !== null && outcome.kind === "gone" && outcome.what === "message")
        outcome = await cards.show(card.place, { ...one, edits: null });
      if (outcome.kind !== "done") {
        trouble = outcome;
        break;
      }
      messages.push(outcome.id);
    }
    const left = card.messages.slice(messages.length);
    if (messages.length === 0) return trouble;
    const kept = await reviewCards.put(name, { ...card, messages: [...messages, ...left] });
    if (kept.kind === "failed") log.warn("review: card of a pending review not stored", { code: kept.code });
    return trouble;
  };

  const end = async (card: ReviewCard): Promise<void> => {
    const question = store.question(card.wire);
    const conversation = question?.conversation ?? null;
    const state = conversation === null ? null : (store.load(conversation)?.state ?? null);
    const thread = conversation === null ? null : ledger.thread(conversation);
    const link = thread === null ? null : await deps.link(thread);
    const ended = endedAnswer(state, question ?? { wire: card.wire, askedAt: 0, type: "answer" }, link);
    const [content] = rendererAt(card.place).review(ended, limits);
    const [first, ...more] = card.messages;
    if (content !== undefined && first !== undefined) {
      const outcome = await cards.show(card.place, { id: `${card.wire}/0`, content, edits: first });
      if (outcome.kind !== "done" && mayPass(outcome)) return postpone(outcome);
    }
    for (const message of more) {
      const outcome = await cards.remove(card.place, message);
      if (outcome.kind !== "done" && mayPass(outcome)) return postpone(outcome);
    }
    const dropped = await reviewCards.drop(name, card.wire);
    if (dropped.kind === "failed") rounds.wakeAfter(AGAIN);
  };

  const tellLate = async ({ conversation, askedAt }: QuestionRow): Promise<void> => {
    const days = Math.floor((clock.now() - askedAt) / DAY);
    const stored = days >= deps.days ? store.load(conversation) : null;
    if (stored !== null) await tell(stored, "late", days);
  };

  /** Notifies only once, because the notice is part of the state. */
  const tell = async (
    { state: { id, phase } }: StoredConversation,
    why: ReviewDelay,
    days: number,
  ): Promise<void> => {
    if (phase.kind !== "awaitingApproval" || phase.question.told?.includes(why) === true) return;
    await bot.act(id, { kind: "unseen", question: phase.question.id, why, days, by: HOST });
  };

  const postpone = (trouble: SendFailure): void => {
    const wait = trouble.kind === "throttled" ? trouble.retryAfter : 0;
    looks = true;
    rounds.wakeAfter(Math.max(AGAIN, wait));
  };

  return {
    heard: onQuestionChange(rounds.wake),
    start: rounds.wake,
    close: async () => {
      await Promise.all([hourly.close(), rounds.close()]);
    },
  };
};
