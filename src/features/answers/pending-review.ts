import type { State } from "../../machine/state.ts";
import type { Entry } from "../../machine/transcript.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import type { QuestionRow, Store, StoredConversation } from "../../ports/store.ts";
import type { PendingReview } from "../../ports/review.ts";
import type { FindCallWording } from "../../thread/call-text.ts";
import type { Post, PostBody } from "../../thread/post.ts";
import { postTextsOf } from "../../thread/post-words.ts";
import { answerText } from "../../thread/visible-text.ts";
import { pendingReviewPost } from "../../thread/turn-post.ts";
import { view } from "../../thread/view.ts";

/** Whether the question waits for a decision of maintainers in their review channel. */
export const isPendingReview = (question: QuestionRow | null, { turn }: State): question is QuestionRow =>
  question !== null &&
  question.status === "pending" &&
  (question.type === "answer" || turn.reviewed !== undefined);

/** Returns null if no answer waits any more. */
export const pendingAnswer = (
  { store, toolLooks: looks }: { readonly store: Pick<Store, "words">; readonly toolLooks: FindCallWording },
  { conversation, state, turn }: StoredConversation,
  question: QuestionRow,
  thread: string | null,
): PendingReview | null => {
  const post = question.type === "answer" ? pendingReviewPost(state, turn, looks) : waitingPost(state, turn);
  if (post === null) return null;
  const asked = post.body.kind === "turn" ? post.body.asked : undefined;
  const ids = [...postTextsOf(post), ...(asked === undefined ? [] : [asked.message])];
  const scene = { conversation, words: store.words(ids), looks, question };
  return { ...factsOf(state, question, thread), shown: { post, scene } };
};

/** The complete post of the waiting question; null if none waits. */
const waitingPost = (
  state: State,
  entries: readonly Entry[],
): (Post & { readonly body: PostBody & { readonly kind: "question" } }) | null => {
  for (const { body, ...rest } of view(state, entries).posts) {
    if (body.kind !== "question" || body.question === null) continue;
    const { withheld: _, ...whole } = body;
    return { ...rest, body: whole };
  }
  return null;
};

/** Returns the outcome of a held answer, without any person's text. `state` is null if the conversation was removed. */
export const endedAnswer = (
  state: State | null,
  question: Pick<QuestionRow, "wire" | "askedAt" | "type"> & Partial<QuestionRow>,
  thread: string | null,
): PendingReview => {
  const { status = null, by = null, at = null } = question;
  return { ...factsOf(state, question, thread), shown: { status, by, at } };
};

const factsOf = (
  state: State | null,
  { wire, askedAt, type }: Pick<QuestionRow, "wire" | "askedAt" | "type">,
  thread: string | null,
): Omit<PendingReview, "shown"> => ({
  wire,
  type,
  askedAt,
  thread,
  asker: state?.turn.speaker?.id ?? null,
  costMicroUsd: state?.turn.usage.costMicroUsd ?? 0,
});

/** Text that an editor starts with, without secrets; null if the answer no longer waits. */
export const pendingAnswerText = (
  {
    store,
    toolLooks: looks,
  }: { readonly store: Pick<Store, "question" | "load" | "words">; readonly toolLooks: FindCallWording },
  wire: string,
): string | null => {
  const question = store.question(wire);
  const isAnswer = question?.type === "answer" && question.status === "pending";
  const stored = isAnswer ? store.load(question.conversation) : null;
  if (stored === null) return null;
  const { said } = pendingReviewPost(stored.state, stored.turn, looks).body;
  const words = store.words(said);
  return maskSecrets(said.map((id) => answerText(words.get(id))).join("\n\n"));
};
