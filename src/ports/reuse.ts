/** Earlier answers to a question, declared on the caller's floor. No member throws or rejects. */

import type { State } from "../machine/state.ts";
import type { EarlierAnswer, RepeatedAnswer } from "../machine/words.ts";
import type { TranscriptMessage, StoredContent } from "../thread/prompt.ts";
import type { Conversation } from "./conversation.ts";

/** An answer to the same question, with its words as they hold now. */
export interface ReusedAnswer extends RepeatedAnswer {
  readonly words: StoredContent & { readonly kind: "answer" };
}

export interface AnswerReuse {
  /** What answers the question that a conversation begins with; null where nothing does, or nobody can tell. */
  find(
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<ReusedAnswer | null>;
  /** Answers to similar questions, the most similar first: at most three that are still true and that everybody can read. */
  similar(
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<readonly EarlierAnswer[]>;
}
