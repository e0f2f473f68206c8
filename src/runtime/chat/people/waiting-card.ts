import type { Conversation } from "../../../ports/conversation.ts";
import type { QuestionRow, Store } from "../../../ports/store.ts";
import type { Content, RenderScene } from "../../../ports/surface.ts";
import type { FindCallWording } from "../../../thread/call-text.ts";
import type { Post } from "../../../thread/post.ts";
import { postTextsOf } from "../../../thread/post-words.ts";
import type { Say } from "../../../i18n/say.ts";

/** Renders a post as in its thread: secrets masked, never throwing. Null if nothing of it is displayed. */
export type RenderCard = (post: Post, scene: RenderScene, say: Say) => Content | null;

interface CardDeps {
  readonly store: Pick<Store, "latestPosts" | "words">;
  readonly looks: FindCallWording;
  readonly render: RenderCard;
}

/**
 * Returns the card of a pending question for places other than its thread; null if the thread does not show it either. Steps can
 * be opened in the thread alone.
 */
export const waitingCard = (
  { store, looks, render }: CardDeps,
  conversation: Conversation,
  question: QuestionRow,
  say: Say,
): Content | null => {
  for (const { post } of store.latestPosts(conversation.id)) {
    const { body } = post;
    if (body.kind !== "question" || body.question !== question.question) continue;
    if (body.withheld === true) return null;
    const scene = { conversation, words: store.words(postTextsOf(post)), looks, question };
    const content = render(post, scene, say);
    const buttons = content?.buttons.filter(({ action }) => action !== "steps") ?? [];
    return content === null ? null : { ...content, buttons };
  }
  return null;
};
