/**
 * Erasure of text: store access and the requests of surfaces. Erased text is overwritten on disk. Decisions of the core remain,
 * so that replay is identical (D8).
 */

import type { ConversationId, MessageId, PersonId } from "../machine/id.ts";
import type { Composed } from "../machine/own-words.ts";
import type { StoredContent } from "../thread/prompt.ts";
import type { Claim } from "./claims.ts";
import type { Done, WriteFailure } from "./host.ts";

/** Replacement for erased text. */
export interface Erasure {
  readonly words: readonly { readonly id: MessageId; readonly words: StoredContent }[];
  /** Claims of the conversation, in their new form. */
  readonly claims: readonly Claim[];
  /** Null keeps the title. */
  readonly title: string | null;
  /** Whether the channel's instructions are removed, because their author is erased. */
  readonly uninstructed: boolean;
}

/** A claim that was accepted or refused. */
export interface ClaimRow {
  readonly claim: Claim;
  /** Stored text of the accepted message; null if the claim was refused. */
  readonly message: MessageId | null;
}

/** Synchronous, like all reads of the store. */
export interface ErasableTexts {
  /** Returns all texts of a conversation, in the order of arrival. */
  allWords(id: ConversationId): ReadonlyMap<MessageId, StoredContent>;
  /** Returns all claims of a conversation, in the order of arrival. */
  claims(id: ConversationId): readonly ClaimRow[];
  offspring(id: ConversationId): readonly ConversationId[];
  /** Returns conversations that reused an answer of this one. */
  repeats(id: ConversationId): readonly ConversationId[];
  /** Whether any text or claim uses the blob. */
  refersTo(blob: string): boolean;
}

/** Text of a person that another speaker repeats, such as a watch with its instructions. */
export interface ErasureAudience {
  readonly speaker: PersonId;
  readonly text: string;
}

/** Rows that belong to no conversation. */
export interface ErasableRows {
  /** Returns the number of channels whose instructions the person wrote. */
  instructed(person: PersonId): number;
  toldFor(person: PersonId): readonly ErasureAudience[];
  /** Erases the person's data in such rows. Conversations keep their copies. */
  forgetBeside(person: PersonId): Promise<Done>;
}

export interface ErasureRequest {
  readonly by: PersonId;
  readonly meant: ErasureTarget;
  /**
   * Returns the remaining text and the removed parts. `own`: also the person's own text is removed, not only quotes of the
   * message.
   */
  cut(said: Composed, own: boolean): TextCut;
}

export type ErasureTarget =
  /** The deleted message, by the platform's id. */
  | { readonly kind: "message"; readonly source: string }
  /** Everything that the person wrote, comments of decisions included. */
  | { readonly kind: "person"; readonly person: PersonId }
  /** All texts of the conversation. */
  | { readonly kind: "all" };

export interface TextCut {
  readonly left: Composed;
  readonly taken: readonly string[];
}

interface PersonForgetting {
  readonly by: PersonId;
  readonly person: PersonId;
  /** Names of the person for others. Names that the person had in these conversations are already known. */
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
