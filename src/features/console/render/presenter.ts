/** Converts runtime rows to API values. Only this module looks up texts. */

import type { Core } from "../../../feature.ts";
import type { MessageId } from "../../../machine/id.ts";
import type { Detail, Overview } from "../../../ports/bot.ts";
import type { ConsoleHost } from "../../../ports/console.ts";
import type { PostRow, QuestionRow } from "../../../ports/store.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { Say } from "../../../i18n/say.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import { postTextsOf } from "../../../thread/post-words.ts";
import { questionLabels, wireQuestion } from "./question.ts";
import { render } from "./render.ts";
import { liveText, stateNews, wireWaiting } from "./summary.ts";
import type {
  ConversationSnapshot,
  StateNews,
  WireJudged,
  WireWaiting,
  WirePost,
  WireQuestion,
} from "./api-types.ts";

interface PresenterDeps
  extends Pick<ConsoleHost, "bot" | "sandbox" | "model" | "toolLooks" | "feedback">,
    Pick<Core, "models" | "operator" | "covers"> {}

export type Presenter = ReturnType<typeof createPresenter>;

/** `say`: renders sentences in the reader's language. */
export const createPresenter = (
  { bot, sandbox, model, models, toolLooks: looks, feedback, operator, covers }: PresenterDeps,
  say: Say,
) => {
  const posts = (
    { conversation }: Overview,
    question: QuestionRow | null,
    rows: readonly PostRow[],
  ): readonly WirePost[] => {
    const words = bot.words(rows.flatMap((row) => postTextsOf(row.post)));
    const { notice: sandboxNotice } = sandbox;
    const modelNotice = model.notice;
    const judged = (message: MessageId, by: string): WireJudged => {
      const answer = { conversation: conversation.id, message };
      const solved = feedback.received([answer]).some((one) => one.solved !== null);
      return { id: message, thumb: feedback.thumb(answer, operator.id), solved, deeper: by === models.first };
    };
    const scene = { conversation, words, looks, question, covers, sandboxNotice, modelNotice, judged, say };
    return rows.toSorted((a, b) => a.ordinal - b.ordinal).flatMap((row) => render(row, scene) ?? []);
  };
  const question = (overview: Overview, row: QuestionRow | null): WireQuestion | null =>
    row === null ? null : wireQuestion(overview, row, bot.words(questionLabels(overview)), say);
  const waitingMessages = ({ state: { waiting = [] } }: Overview): readonly WireWaiting[] => {
    const words = bot.words(waiting.map(({ message }) => message));
    return waiting.map((one) => wireWaiting(one, words.get(one.message)));
  };
  const news = (overview: Overview, status: ThreadStatus | null): StateNews =>
    stateNews(overview, status, say, waitingMessages(overview));
  return {
    posts,
    question,
    news,
    /** `rows`: posts of the conversation, in any order. `earlier`: ordinal of the first post, if earlier posts exist. */
    snapshot: (detail: Detail, rows: readonly PostRow[], earlier: number | null): ConversationSnapshot => {
      const asked = question(detail, detail.question);
      return {
        ...news(detail, detail.status),
        posts: posts(detail, detail.question, rows),
        ...omitUndefined({ earlier: earlier ?? undefined, question: asked ?? undefined }),
        live: liveText(detail),
      };
    },
  };
};
