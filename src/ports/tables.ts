/**
 * Declarations of tables: the content of every column, and what happens to the rows when a person is erased or a conversation
 * is deleted. The core declares its groups next to their code (`src/store/tables/all-rows.ts` lists them). A feature declares
 * its groups in its `tables.ts`. Declarations are data, so that the writer thread gets those of features without loading a
 * feature. Deletion and erasure use only the declarations and name no table.
 *
 * A database may contain tables of a feature that this program lacks, because migrations are permanent. Their rows are never
 * read, and their authors are unknown. The rows remain until something is erased, in case the feature returns. When a person is
 * erased, all rows of such tables are deleted. When text of a conversation is erased or the conversation is deleted, rows with
 * its id in a column `conversation` are deleted. Rows with the columns `surface` and `place` move with their channel.
 */

import type { MessageId } from "../machine/id.ts";
import type { ClaimKey } from "./claims.ts";

export interface Tables {
  readonly tables: Readonly<Record<string, Columns>>;
  readonly erase: Erase;
  /** Tables whose changes by other hosts are reported to this host. */
  readonly heard?: readonly string[];
  /** Statements that move rows without columns for surface and channel: on `@surface` from the id `@from` to `@to`. */
  readonly moves?: readonly string[];
  /** Columns whose JSON names stored files, by table. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Each column of a table is in exactly one of the lists. */
export interface Columns {
  /** Erased if the person is erased. */
  readonly person?: readonly string[];
  /**
   * Erased if the conversation is deleted. Such columns contain ids and names of people, which remain if the person is erased.
   */
  readonly conversation?: readonly string[];
  /** Erased in both cases. */
  readonly both?: readonly string[];
  /** Columns without data of people, or with data that is kept in both cases, by reason. */
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
   * The step that erases text of a conversation passes the texts as data and runs these statements in its transaction.
   * `@conversation` is the conversation's id, `@erased` the JSON of `ErasureRows`, and `@ids` that of the messages' ids.
   */
  | { readonly kind: "step"; readonly sql: readonly string[] }
  /** Rows outside of conversations, or unknown to steps. `@person` is the id. */
  | {
      readonly kind: "person";
      readonly sql: readonly string[];
      /**
       * Selects texts of the person `?` that another speaker repeats: columns `speaker` and `text`. Conversations with these
       * texts are cleaned.
       */
      readonly told?: string;
    };

type EraseConversation =
  | Kept
  | Derived
  /** Few rows, deleted in the step that hides the conversation, in this order. `?` is its id. */
  | { readonly kind: "hidden"; readonly sql: readonly string[] }
  /** Many rows. Each statement deletes at most `@limit` rows of the conversation `@id`. */
  | { readonly kind: "pieces"; readonly sql: readonly string[] }
  /** The row itself, after all others. `?` is its id. */
  | { readonly kind: "last"; readonly sql: string };

interface Kept {
  readonly kind: "kept";
  readonly why: string;
}

/** The rows derive from other rows and are deleted with them. */
type Derived =
  | { readonly kind: "trigger"; readonly triggers: readonly string[] }
  /** Deleted by code that compares both tables, as `how` describes. */
  | { readonly kind: "compared"; readonly how: string };

/** Replacement for erased text, in the form of rows. */
export interface ErasureRows {
  /** Null if the text is removed. */
  readonly words: readonly { readonly id: MessageId; readonly words: string | null }[];
  readonly claims: readonly (ClaimKey & { readonly body: string })[];
  readonly title: string | null;
  readonly uninstructed: boolean;
}
