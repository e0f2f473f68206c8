/** No member throws or rejects. */

import type { State } from "../machine/state.ts";
import type { EarlierAnswer, RepeatedAnswer } from "../machine/vocabulary.ts";
import type { TranscriptMessage, StoredContent } from "../thread/prompt.ts";
import type { Conversation } from "./conversation.ts";

export interface ReusedAnswer extends RepeatedAnswer {
  readonly words: StoredContent & { readonly kind: "answer" };
}

export interface AnswerReuse {
  find(
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<ReusedAnswer | null>;
  /** Returns answers to similar questions, the most similar first: at most three, all still valid and public. */
  similar(
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<readonly EarlierAnswer[]>;
}
