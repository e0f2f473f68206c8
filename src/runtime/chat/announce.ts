/** Each question gets one message, which later shows the outcome. Questions are read from the store, so no outage loses any. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import { isWatch } from "../../machine/provenance.ts";
import { askerOf } from "../../machine/state.ts";
import type { Announcement } from "../../ports/alerts.ts";
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { AnnouncedQuestion, ChatStore } from "../../ports/chat-rows.ts";
import type { QuestionRow, Store } from "../../ports/store.ts";
import { type Content, type Ledger, whyOf } from "../../ports/surface.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Say } from "../../i18n/say.ts";
import { createRepeatingTask } from "../bot/repeating-task.ts";
import { onQuestionChange } from "./question-changes.ts";
import { type RenderCard, waitingCard } from "./people/waiting-card.ts";
import type { ChatDeps } from "./people/deps.ts";

const AGAIN: Millis = 30_000;

interface AnnounceDeps
  extends Pick<ChatDeps, "name" | "cards" | "languageAt" | "toolLooks" | "clock" | "log"> {
  readonly place: string;
  readonly store: Pick<Store, "load" | "question" | "pendingQuestion" | "latestPosts" | "words">;
  readonly chat: Pick<ChatStore, "waiting" | "announced" | "setAnnounced">;
  readonly ledger: Pick<Ledger, "thread">;
  readonly platform: Pick<ChatPlatform, "audience" | "link">;
  readonly render: RenderCard;
  readonly content: (announcement: Announcement, say: Say) => Content;
}

export const createAnnouncer = (deps: AnnounceDeps) => {
  const { name, place, store, chat, ledger, platform, clock, log } = deps;

  const rounds = createRepeatingTask(clock, async () => {
    const known = chat.announced(name);
    const fresh = chat
      .waiting(name)
      .flatMap(({ conversation }) => store.pendingQuestion(conversation) ?? [])
      // Answers in review, and requests of their turns, are announced in another channel.
      .filter(
        ({ wire, type, conversation }) =>
          type !== "answer" &&
          !(type === "person" && hasRequester(conversation)) &&
          store.load(conversation)?.state.turn.reviewed === undefined &&
          !known.some((one) => one.wire === wire),
      );
    for (const question of fresh) await tell(question, null);
    for (const announced of known) {
      const question = store.question(announced.wire);
      if (question !== null && question.status !== "pending") await tell(question, announced);
    }
  });

  /** The agent's question waits for the requester, whom its card names. */
  const hasRequester = (conversation: ConversationId): boolean => {
    const speaker = store.load(conversation)?.state.turn.speaker;
    return speaker !== null && speaker !== undefined && !isWatch(speaker.id);
  };

  const tell = async (question: QuestionRow, announced: AnnouncedQuestion | null): Promise<void> => {
    const { wire, status } = question;
    const where = announced?.place ?? place;
    const say = sayIn(deps.languageAt(where));
    const announcement = await announcementOf(question, say);
    if (announcement === null || rounds.ending.aborted) return;
    const content = deps.content(announcement, say);
    const told = await deps.cards.show(where, {
      id: wire,
      content,
      edits: announced?.message ?? null,
      since: question.askedAt,
    });
    if (told.kind !== "done") return postpone(whyOf(told));
    const row = { wire, place: where, message: told.id, isOpen: status === "pending" };
    const kept = await chat.setAnnounced(name, row);
    if (kept.kind === "failed") log.warn("approvals: posted question not stored", { code: kept.code });
  };

  const postpone = (why: string): void => {
    log.error("approvals: question not posted in PARLEY_APPROVALS_CHANNEL, retry scheduled", {
      why,
      remedy: "Check that Parley is a member of that channel.",
    });
    rounds.wakeAfter(AGAIN);
  };

  /** Hides the content of a private channel from readers of a wider one, except that a question waits and where. */
  const announcementOf = async (question: QuestionRow, say: Say): Promise<Announcement | null> => {
    const { type, askedAt, status, by, at } = question;
    const stored = store.load(question.conversation);
    const thread = ledger.thread(question.conversation);
    if (stored === null || thread === null) return null;
    const { conversation, state } = stored;
    const isPublic = (await platform.audience(thread.place)) === "public";
    const cards = { store, looks: deps.toolLooks, render: deps.render };
    return {
      type,
      askedAt,
      thread: await platform.link(thread.place, thread.root),
      about: isPublic ? { conversation, asker: askerOf(state) } : null,
      card: isPublic && status === "pending" ? waitingCard(cards, conversation, question, say) : null,
      outcome: status === "pending" ? null : { status, by, at },
    };
  };

  return {
    heard: onQuestionChange(rounds.wake),
    start: rounds.wake,
    close: rounds.close,
  };
};
