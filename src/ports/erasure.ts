/**
 * What taking words back needs of the store, and what surfaces ask for. Erased words are overwritten on the disk; what
 * the core decided stays, so that replay is identical (D8).
 */

import type { ConversationId, MessageId, PersonId } from "../machine/id.ts";
import type { Composed } from "../machine/own-words.ts";
import type { StoredContent } from "../thread/prompt.ts";
import type { Claim } from "./claims.ts";
import type { Done, WriteFailure } from "./host.ts";

/** Words that take the place of others. */
export interface Erasure {
  readonly words: readonly { readonly id: MessageId; readonly words: StoredContent }[];
  /** Claims of the conversation, as they are kept from now on. */
  readonly claims: readonly Claim[];
  /** Null leaves it. */
  readonly title: string | null;
  /** What its channel told it goes: whoever wrote that is forgotten. */
  readonly uninstructed: boolean;
}

/** A claim that was taken or refused. */
export interface ClaimRow {
  readonly claim: Claim;
  /** The words that it became; null where it was refused. */
  readonly message: MessageId | null;
}

/** Synchronous, as all that reads. */
export interface ErasableTexts {
  /** All words of a conversation, in the order in which they came. */
  allWords(id: ConversationId): ReadonlyMap<MessageId, StoredContent>;
  /** All claims of a conversation, in the order in which they came. */
  claims(id: ConversationId): readonly ClaimRow[];
  offspring(id: ConversationId): readonly ConversationId[];
  /** Conversations that were given an answer of this one again. */
  repeats(id: ConversationId): readonly ConversationId[];
  /** Whether any words or claims name the blob. */
  refersTo(blob: string): boolean;
}

/** Words of a person that somebody else says, as a watch says its instructions. */
export interface ErasureAudience {
  readonly speaker: PersonId;
  readonly text: string;
}

/** Rows that belong to no conversation. */
export interface ErasableRows {
  /** Channels whose instructions the person wrote. */
  instructed(person: PersonId): number;
  toldFor(person: PersonId): readonly ErasureAudience[];
  /** Takes back all that such rows hold of the person; conversations keep their copies. */
  forgetBeside(person: PersonId): Promise<Done>;
}

export interface ErasureRequest {
  readonly by: PersonId;
  readonly meant: ErasureTarget;
  /**
   * What is left of words, and what was taken out of them. `own`: the person's own part of them is meant, else only
   * what they quote of the message.
   */
  cut(said: Composed, own: boolean): TextCut;
}

export type ErasureTarget =
  /** The message that was deleted, by the platform's id. */
  | { readonly kind: "message"; readonly source: string }
  /** All that somebody said, also with a decision. */
  | { readonly kind: "person"; readonly person: PersonId }
  /** All that the conversation holds. */
  | { readonly kind: "all" };

export interface TextCut {
  readonly left: Composed;
  readonly taken: readonly string[];
}

interface PersonForgetting {
  readonly by: PersonId;
  readonly person: PersonId;
  /** As others know the person; those under which they spoke here are known already. */
  readonly names: readonly string[];
}

/** Answers in how many conversations they had said something, and for how many channels they had written instructions. */
export type ForgetPerson = (request: PersonForgetting) => Promise<
  | {
      readonly kind: "done";
      readonly conversations: number;
      readonly channels: number;
      readonly names: readonly string[];
    }
  | WriteFailure
>;
