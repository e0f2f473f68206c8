/** No member throws or rejects. */

import type { Millis, PersonId } from "../machine/id.ts";
import type { Post, PostBody, TurnBody } from "../thread/post.ts";
import type { QuestionRow } from "./store.ts";
import type { Content, Limits, SendOutcome, RenderScene } from "./surface.ts";

/** An answer in review, or a request of its turn, as the maintainers' channel shows it. */
export interface PendingReview {
  readonly type: QuestionRow["type"];
  readonly wire: string;
  readonly askedAt: Millis;
  readonly thread: string | null;
  readonly asker: PersonId | null;
  readonly costMicroUsd: number;
  readonly shown: /** Message of the turn, in the form in which it would be posted. */
    | { readonly post: Post & { readonly body: TurnBody | QuestionBody }; readonly scene: RenderScene }
    /** Outcome, without any text of people. `status` is null if the conversation was removed. */
    | {
        readonly status: QuestionRow["status"] | null;
        readonly by: PersonId | null;
        readonly at: Millis | null;
      };
}

type QuestionBody = PostBody & { readonly kind: "question" };

export interface ReviewRenderer {
  review(held: PendingReview, limits: Limits): readonly Content[];
}

export interface PendingReviewTexts {
  held(question: string): string | null;
}

export interface Cards {
  /** Posts a card, once for each `id` despite crashes. `edits`: the existing message that this content replaces. */
  show(
    place: string,
    card: {
      readonly id: string;
      readonly content: Content;
      readonly edits: string | null;
      /** Messages older than this cannot be the card. */
      readonly since?: Millis;
    },
  ): Promise<SendOutcome>;
  remove(place: string, message: string): Promise<SendOutcome>;
}
