/**
 * Declarations of tables. Each group of tables has one next to its code: who owns it, what every column holds, and what
 * becomes of the rows when a person is forgotten or a conversation is deleted. Removal and forgetting go through the list of
 * all groups (`src/store/tables/all-rows.ts`) and name no table.
 */

import type { ConversationId, MessageId, PersonId } from "../machine/id.ts";
import type { ClaimKey } from "./claims.ts";

/** The core, or the feature that owns the rows. */
type Owner =
  | "core"
  | "alerts"
  | "answers"
  | "cluster"
  | "console"
  | "digest"
  | "feedback"
  | "knowledge"
  | "money"
  | "watches";

/** `Db`: the database as the owner's code sees it. */
export interface Tables<Db> {
  readonly owner: Owner;
  readonly tables: Readonly<Record<string, Columns>>;
  readonly erase: Erase<Db>;
  /** Tables of whose rows a host is told when another one wrote them. */
  readonly heard?: readonly string[];
  /** Moves rows without a column for the surface with their channel: of `@surface`, `@from` one id `@to` another. */
  readonly moves?: readonly string[];
  /** Columns whose JSON names stored files, by table. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Each column of a table stands in exactly one of the lists. */
export interface Columns {
  /** Erased if the person is forgotten. */
  readonly person?: readonly string[];
  /** Erased if the conversation is deleted. Ids and names of persons are in such columns: they stay if the person is forgotten. */
  readonly conversation?: readonly string[];
  /** Erased in both cases. */
  readonly both?: readonly string[];
  /** Columns that hold nothing of people, or that keep it in both cases, by reason. */
  readonly kept?: Readonly<Record<string, readonly string[]>>;
}

interface Erase<Db> {
  readonly person: ErasePerson<Db>;
  readonly conversation: EraseConversation;
}

type ErasePerson<Db> =
  | Kept
  | Derived
  /** Words of a conversation come as data with the step that takes them back: part of its transaction. */
  | {
      readonly kind: "step";
      readonly erase: (db: Db) => (conversation: ConversationId, erased: ErasureRows) => void;
    }
  /** Rows that belong to no conversation, or that no step knows. */
  | {
      readonly kind: "person";
      readonly erase: (db: Db) => (person: PersonId) => void;
      /** Selects words of the person `?` that somebody else says: columns `speaker` and `text`. Conversations that hold them are cut. */
      readonly told?: string;
    };

type EraseConversation =
  | Kept
  | Derived
  /** Few rows: they go in the step that hides the conversation, in this order. `?` is its id. */
  | { readonly kind: "hidden"; readonly sql: readonly string[] }
  /** Many rows: each statement removes at most `@limit` rows of the conversation `@id`. */
  | { readonly kind: "pieces"; readonly sql: readonly string[] }
  /** The row itself, after all others. `?` is its id. */
  | { readonly kind: "last"; readonly sql: string };

interface Kept {
  readonly kind: "kept";
  readonly why: string;
}

/** The rows are made of other rows and go with them. */
type Derived =
  | { readonly kind: "trigger"; readonly triggers: readonly string[] }
  /** By code that compares the two, as `how` says. */
  | { readonly kind: "compared"; readonly how: string };

/** Words that take the place of others, as text of rows. */
export interface ErasureRows {
  /** Null: gone. */
  readonly words: readonly { readonly id: MessageId; readonly words: string | null }[];
  readonly claims: readonly (ClaimKey & { readonly body: string })[];
  readonly title: string | null;
  readonly uninstructed: boolean;
}
