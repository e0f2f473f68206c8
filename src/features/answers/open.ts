import type { Core } from "../../feature.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { AttendedRoom, Attendant } from "../../ports/attendant.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import { createCitationTracker } from "./citations/lines.ts";
import { pendingAnswerText } from "./pending-review.ts";
import { createStalenessChecks } from "./staleness-checks.ts";
import { createReuse } from "./reuse.ts";
import { createReview } from "./review.ts";
import { createReviewCards } from "./review-cards.ts";
import type { AnswersSettings } from "./settings.ts";

export const openAnswers = (
  {
    PARLEY_REVIEW_DAYS: reviewDays,
    PARLEY_STALE_DAYS: staleDays,
    PARLEY_REUSE_DAYS: reuseDays,
  }: AnswersSettings,
  core: Core,
) => {
  const lines = createCitationTracker(core.commits);
  const looks = createStalenessChecks({
    ...core,
    lines,
    nameOf: (repo) => core.reposAtForge(repo)[0] ?? null,
    shown: core.answerChanged,
    placed: core.answerPlaced,
    days: staleDays,
  });
  const reviewCards = createReviewCards(core.rows, core.log);
  return {
    lines,
    ...(reuseDays === 0
      ? {}
      : { reuse: createReuse({ ...core, threads: core.ledger, holding: looks.holding, days: reuseDays }) }),
    ...(staleDays === 0 ? {} : { pushed: (repo: string) => void looks.pushed(repo) }),
    reviewedIn: (id: ConversationId) => {
      const thread = core.ledger.thread(id);
      return thread === null ? null : (core.chat.channel(thread.surface, thread.place)?.review ?? null);
    },
    attend: (room: AttendedRoom): Attendant => {
      const { name, alert } = room;
      const review = createReview({
        ...room,
        reviewCards,
        days: reviewDays,
        reached: (place, why) =>
          alert(
            `review ${name} ${place}`,
            why === null ? null : { kind: "review", surface: name, place, why },
          ),
      });
      return { ...review, held: (question) => pendingAnswerText(room, question) };
    },
    sourceRead: () => void looks.read(),
    led: (_: ConversationId, change: ConversationChange) => looks.heard(change),
    start: () => {
      looks.start();
      return { close: () => Promise.resolve() };
    },
    leave: looks.close,
  };
};
