/** Rows of the runtime with their words, as the API says them: the one place that looks words up. */

import type { MessageId } from "../../../src/machine/id.ts";
import type { Detail, Overview } from "../../../src/ports/bot.ts";
import type { PostRow, QuestionRow } from "../../../src/ports/store.ts";
import type { Say } from "../../../src/words/say.ts";
import type { Status } from "../../../src/thread/post.ts";
import { wordsOf } from "../../../src/thread/post-words.ts";
import type { ConsoleDeps } from "../deps.ts";
import { questionWords, wireQuestion } from "./question.ts";
import { render } from "./render.ts";
import { liveText, stateNews } from "./summary.ts";
import type { Snapshot, StateNews, WirePost, WireQuestion } from "./api-types.ts";
import type { WireJudged } from "./judged.ts";

export interface Presenter {
  posts(overview: Overview, question: QuestionRow | null, rows: readonly PostRow[]): readonly WirePost[];
  question(overview: Overview, row: QuestionRow | null): WireQuestion | null;
  news(overview: Overview, status: Status | null): StateNews;
  /** `rows`: posts of the conversation, in any order; `earlier`: where the first stands, where others come before it. */
  snapshot(detail: Detail, rows: readonly PostRow[], earlier: number | null): Snapshot;
}

/** For who reads the language. */
export const createPresenter = (
  { bot, sandbox, model, models, feedback, operator }: ConsoleDeps,
  say: Say,
): Presenter => {
  const posts: Presenter["posts"] = ({ conversation }, question, rows) => {
    const words = bot.words(rows.flatMap((row) => wordsOf(row.post)));
    const { covers, notice: sandboxNotice } = sandbox;
    const modelNotice = model.notice;
    const judged = (message: MessageId, by: string): WireJudged => {
      const answer = { conversation: conversation.id, message };
      const solved = feedback.received([answer]).some((one) => one.solved !== null);
      return { id: message, thumb: feedback.thumb(answer, operator.id), solved, deeper: by === models.first };
    };
    const scene = { conversation, words, question, covers, sandboxNotice, modelNotice, judged, say };
    return rows.toSorted((a, b) => a.ordinal - b.ordinal).flatMap((row) => render(row, scene) ?? []);
  };
  const question: Presenter["question"] = (overview, row) => {
    const needed = questionWords(overview);
    return row === null ? null : wireQuestion(overview, row, bot.words(needed), say);
  };
  return {
    posts,
    question,
    news: (overview, status) => stateNews(overview, status, say),
    snapshot: (detail, rows, earlier) => {
      const asked = question(detail, detail.question);
      return {
        ...stateNews(detail, detail.status, say),
        posts: posts(detail, detail.question, rows),
        ...(earlier === null ? {} : { earlier }),
        ...(asked === null ? {} : { question: asked }),
        live: liveText(detail),
      };
    },
  };
};
