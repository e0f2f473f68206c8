/** An answer that is held, read from what is stored. */

import type { State } from "../../machine/state.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import type { QuestionRow, Store, Stored } from "../../ports/store.ts";
import type { HeldAnswer } from "../../ports/answers/review.ts";
import { wordsOf } from "../../thread/post-words.ts";
import { answerText } from "../../thread/spoken.ts";
import { heldPost } from "../../thread/turn-post.ts";

/** The answer that this question is about waits for somebody. */
export const awaitsLook = (question: QuestionRow | null): question is QuestionRow =>
  question !== null && question.type === "answer" && question.status === "pending";

export const heldAnswer = (
  store: Pick<Store, "words">,
  { conversation, state, turn }: Stored,
  question: QuestionRow,
  thread: string | null,
): HeldAnswer => {
  const post = heldPost(state, turn);
  const { asked } = post.body;
  const ids = [...wordsOf(post), ...(asked === undefined ? [] : [asked.message])];
  const scene = { conversation, words: store.words(ids), question };
  return { ...factsOf(state, question, thread), shown: { post, scene } };
};

/** What became of it; nobody's words. `state` null: its conversation was removed. */
export const endedAnswer = (
  state: State | null,
  question: Pick<QuestionRow, "wire" | "askedAt"> & Partial<QuestionRow>,
  thread: string | null,
): HeldAnswer => {
  const { status = null, by = null, at = null } = question;
  return { ...factsOf(state, question, thread), shown: { status, by, at } };
};

const factsOf = (
  state: State | null,
  { wire, askedAt }: Pick<QuestionRow, "wire" | "askedAt">,
  thread: string | null,
): Omit<HeldAnswer, "shown"> => ({
  wire,
  askedAt,
  thread,
  asker: state?.turn.speaker?.id ?? null,
  costMicroUsd: state?.turn.usage.costMicroUsd ?? 0,
});

/** What whoever edits it begins with, without its secrets; null where it does not wait for anybody any more. */
export const heldText = (store: Pick<Store, "question" | "load" | "words">, wire: string): string | null => {
  const question = store.question(wire);
  const stored = awaitsLook(question) ? store.load(question.conversation) : null;
  if (stored === null) return null;
  const { said } = heldPost(stored.state, stored.turn).body;
  const words = store.words(said);
  return maskSecrets(said.map((id) => answerText(words.get(id))).join("\n\n"));
};
