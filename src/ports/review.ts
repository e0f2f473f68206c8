/** Answers that somebody looks at before they are posted: where that is asked, and by what messages. No member throws or rejects. */

import type { WriteFailure } from "./host.ts";
import type { Content, Outcome } from "./surface.ts";

type Done = { readonly kind: "done" } | WriteFailure;

/** Messages of the host's own at the top of a channel. */
export interface Cards {
  /** Puts one, once for each `id` whatever crashes; `edits`: the one that reads so from now on. */
  show(
    place: string,
    card: { readonly id: string; readonly content: Content; readonly edits: string | null },
  ): Promise<Outcome>;
  remove(place: string, message: string): Promise<Outcome>;
}

/** The messages in which an answer is put before those who look at it. */
export interface ReviewCard {
  /** Wire id of its question. */
  readonly wire: string;
  readonly place: string;
  /** The platform's ids, in order; empty where none stands. */
  readonly messages: readonly string[];
}

export interface ReviewCards {
  /** Those that stand. */
  reviewCards(surface: string): readonly ReviewCard[];
  /** Inserts or replaces. */
  putReviewCard(surface: string, card: ReviewCard): Promise<Done>;
  dropReviewCard(surface: string, wire: string): Promise<Done>;
}
