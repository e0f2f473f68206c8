/** Answers that somebody looks at before they are posted: where that is asked, and by what messages. No member throws or rejects. */

import type { Millis, PersonId } from "../machine/id.ts";
import type { Post, PostBody, TurnBody } from "../thread/post.ts";
import type { QuestionRow } from "./store.ts";
import type { Content, Limits, SendOutcome, RenderScene } from "./surface.ts";

/** An answer, or a request of a turn whose answers are held, as the channel of the maintainers shows it. */
export interface PendingReview {
  readonly type: QuestionRow["type"];
  /** Wire id of its question. */
  readonly wire: string;
  readonly askedAt: Millis;
  /** The address of its thread; null where the platform does not tell. */
  readonly thread: string | null;
  readonly asker: PersonId | null;
  readonly costMicroUsd: number;
  readonly shown: /** The message of its turn as it would be posted. */
    | { readonly post: Post & { readonly body: TurnBody | QuestionBody }; readonly scene: RenderScene }
    /** What became of it; nobody's words are shown any more. `status` null: its conversation was removed. */
    | {
        readonly status: QuestionRow["status"] | null;
        readonly by: PersonId | null;
        readonly at: Millis | null;
      };
}

type QuestionBody = PostBody & { readonly kind: "question" };

export interface ReviewRenderer {
  /** What those read who look at an answer before it is posted: one message or more, the last with the buttons. */
  review(held: PendingReview, limits: Limits): readonly Content[];
}

export interface PendingReviewTexts {
  /** The text of an answer that somebody wants to edit before it is posted; null where it does not wait any more. */
  held(question: string): string | null;
}

/** Messages of the host's own at the top of a channel. */
export interface Cards {
  /** Puts one, once for each `id` whatever crashes; `edits`: the one that reads so from now on. */
  show(
    place: string,
    card: {
      readonly id: string;
      readonly content: Content;
      readonly edits: string | null;
      /** Nothing older is the card. */
      readonly since?: Millis;
    },
  ): Promise<SendOutcome>;
  remove(place: string, message: string): Promise<SendOutcome>;
}
