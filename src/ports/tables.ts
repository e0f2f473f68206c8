/**
 * Declarations of tables: what every column of a group holds, and what becomes of its rows when a person is forgotten or a
 * conversation is deleted. The core declares its groups next to their code (`src/store/tables/all-rows.ts` lists them). A feature
 * declares its groups in its `tables.ts`. Declarations are data: the thread that writes gets those of features without loading a
 * feature. Removal and forgetting go through all declarations and name no table.
 *
 * A database may have tables of a feature that this program lacks, because migrations stay. Nothing reads such rows, and nothing
 * can tell whose words they hold. The rows stay until something is erased, so that the feature finds them if it comes back.
 * When a person is forgotten, all rows of such tables are deleted. When words of a conversation are erased or the conversation
 * is removed, rows with its id in a column `conversation` are deleted. Rows with the columns `surface` and `place` move with their
 * channel.
 */

import type { MessageId } from "../machine/id.ts";
import type { ClaimKey } from "./claims.ts";

export interface Tables {
  readonly tables: Readonly<Record<string, Columns>>;
  readonly erase: Erase;
  /** Tables of whose rows a host is told when another one wrote them. */
  readonly heard?: readonly string[];
  /** Moves rows without columns for surface and place with their channel: of `@surface`, `@from` one id `@to` another. */
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

interface Erase {
  readonly person: ErasePerson;
  readonly conversation: EraseConversation;
}

type ErasePerson =
  | Kept
  | Derived
  /**
   * Words of a conversation come as data with the step that takes them back: part of its transaction. `@conversation` is its id,
   * `@erased` the JSON of `ErasureRows`, and `@ids` that of the ids of the messages.
   */
  | { readonly kind: "step"; readonly sql: readonly string[] }
  /** Rows that belong to no conversation, or that no step knows. `@person` is the id. */
  | {
      readonly kind: "person";
      readonly sql: readonly string[];
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
