/** Erased text is overwritten on disk. Decisions of the core remain, so that replay is identical (D8). */

import type { ConversationId, MessageId, PersonId } from "../machine/id.ts";
import type { Composed } from "../machine/message-parts.ts";
import type { StoredContent } from "../thread/prompt.ts";
import type { Claim, ClaimOutcome } from "./claims.ts";
import type { Done, WriteFailure } from "./host.ts";

export interface Erasure {
  readonly words: readonly { readonly id: MessageId; readonly words: StoredContent }[];
  readonly claims: readonly Claim[];
  readonly title: string | null;
  /** Whether the channel's instructions are removed, because their author is erased. */
  readonly uninstructed: boolean;
}

export interface ClaimRow {
  readonly claim: Claim;
  readonly message: MessageId | null;
}

/** A claim of an edited message has the new text; the stored message has the difference. */
export interface VersionRow extends ClaimRow {
  readonly outcome: ClaimOutcome | null;
}

export interface ErasableTexts {
  /** Texts and claims are in the order of arrival. */
  allWords(id: ConversationId): ReadonlyMap<MessageId, StoredContent>;
  claims(id: ConversationId): readonly ClaimRow[];
  offspring(id: ConversationId): readonly ConversationId[];
  /** Returns conversations that reused an answer of this one. */
  repeats(id: ConversationId): readonly ConversationId[];
  refersTo(blob: string): boolean;
}

/** Text of a person that another speaker repeats, such as a watch with its instructions. */
export interface ErasureAudience {
  readonly speaker: PersonId;
  readonly text: string;
  /** The conversation exists only because of the text, and is erased as a whole. */
  readonly whole?: ConversationId;
}

export interface ErasableRows {
  instructed(person: PersonId): number;
  toldFor(person: PersonId): readonly ErasureAudience[];
  /** Erases the person's data outside of conversations, which keep their copies. */
  forgetBeside(person: PersonId): Promise<Done>;
}

export interface ErasureRequest {
  readonly by: PersonId;
  readonly meant: ErasureTarget;
  /** `own`: the person's own text is removed, too, not only quotes of the message. */
  cut(said: Composed, own: boolean): TextCut;
}

export type ErasureTarget =
  | { readonly kind: "message"; readonly source: string }
  /** All texts of the person, comments of decisions included. */
  | { readonly kind: "person"; readonly person: PersonId }
  | { readonly kind: "all" };

export interface TextCut {
  readonly left: Composed;
  readonly taken: readonly string[];
}

interface PersonForgetting {
  readonly by: PersonId;
  readonly person: PersonId;
  /** The person's names for others, besides the names in stored conversations. */
  readonly names: readonly string[];
}

/** Returns the number of conversations with messages of the person, and of channels with their instructions. */
export type ForgetPerson = (request: PersonForgetting) => Promise<
  | {
      readonly kind: "done";
      readonly conversations: number;
      readonly channels: number;
      readonly names: readonly string[];
    }
  | WriteFailure
>;
