/** First looks at posts of people, and what people say about them. No method of these ports throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import type { Done } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";

export const LOOK_DECISIONS = ["nothing", "duplicate", "look"] as const;
export type LookDecisionKind = (typeof LOOK_DECISIONS)[number];

export type LookDecision =
  | { readonly kind: "nothing" | "look" }
  /** `link`: one of the links that the model got. */
  | { readonly kind: "duplicate"; readonly link: string };

/** Has no words of the post. */
export interface FirstLook extends ChannelAddress {
  readonly watch: string;
  readonly post: string;
  readonly at: Millis;
  readonly decision: LookDecision;
  readonly reason: string;
  readonly cost: MicroUsd;
  /** Null if the look is older than a day and not among the {@link MOST_LISTED} newest. */
  readonly author: PersonId | null;
  readonly conversation: ConversationId | null;
}

/** Example for later looks of the watch, stored by a person's click. */
export interface LookCorrection extends ChannelAddress {
  readonly id: string;
  readonly watch: string;
  readonly post: string;
  readonly decided: LookDecisionKind;
  readonly correct: LookDecisionKind;
  readonly text: string;
  readonly author: PersonId | null;
  readonly by: PersonId;
  readonly at: Millis;
}

/** Number of a watch's newest looks that the console lists, and that a click there can correct. */
export const MOST_LISTED = 100;
/** Maximum number of examples of a watch. */
export const MOST_CORRECTIONS = 20;

export interface LookRows {
  find(watch: string, place: string, post: string): FirstLook | null;
  /** Newest first. */
  lately(watch: string, most: number): readonly FirstLook[];
  /** Looks of the watch since a time. */
  since(watch: string, since: Millis): readonly Omit<FirstLook, "reason">[];
  put(look: FirstLook): Promise<Done>;
  /** Counts a look that ended without a decision in the limits of the watch. The post gets another look. */
  putAborted(look: Omit<FirstLook, "decision" | "reason" | "conversation">): Promise<Done>;
  /** Stores the look's thread. */
  begun(look: Pick<FirstLook, "watch" | "place" | "post">, conversation: ConversationId): Promise<Done>;
  /** Newest first. */
  corrections(watch: string): readonly LookCorrection[];
  /** Removes the oldest corrections beyond {@link MOST_CORRECTIONS}. */
  correct(correction: LookCorrection): Promise<Done>;
  uncorrect(id: string): Promise<Done>;
  /** Whether a correction has words of the post. */
  isExample(surface: string, place: string, post: string): boolean;
  /** Removes corrections of the post. */
  forgetPost(surface: string, place: string, post: string): Promise<Done>;
  places(watch: string): readonly string[];
  addPlace(watch: string, surface: string, place: string, at: Millis): Promise<Done>;
  isIgnored(surface: string, person: PersonId): boolean;
  /** End of the person's last opt-out; null if the person never opted out, or is ignored. */
  cameBack(surface: string, person: PersonId): Millis | null;
  ignore(surface: string, person: PersonId, at: Millis): Promise<Done>;
  endIgnoring(surface: string, person: PersonId, at: Millis): Promise<Done>;
}
