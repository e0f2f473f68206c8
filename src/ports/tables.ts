/**
 * Declares for every column what happens when a person is erased or a conversation is deleted. Deletion and erasure use only
 * the declarations. They are data, so that the writer thread needs no code of features.
 *
 * Migrations are permanent, so a database may contain tables of a feature that this program lacks. Their rows are never read.
 * When a person is erased, all their rows are deleted, because the authors are unknown. When text of a conversation is erased
 * or the conversation is deleted, rows with its id in a column `conversation` are deleted. Rows with the columns `surface` and
 * `place` move with their channel.
 */

import type { MessageId } from "../machine/id.ts";
import type { ClaimKey } from "./claims.ts";

export interface Tables {
  readonly tables: Readonly<Record<string, Columns>>;
  readonly erase: Erase;
  /** Tables whose changes by other hosts are reported to this host. */
  readonly heard?: readonly string[];
  /** Statements for rows without the columns `surface` and `place`: change the id `@from` to `@to` on `@surface`. */
  readonly moves?: readonly string[];
  /** Columns whose JSON names stored files, by table. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Each column of a table is in exactly one of the lists. */
export interface Columns {
  /** Erased if the person is erased. */
  readonly person?: readonly string[];
  /** Erased if the conversation is deleted. Ids and names of people in these columns remain if the person is erased. */
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
  /** Statements in the transaction that erases text. `@erased`: JSON of `ErasureRows`. `@ids`: JSON of the messages' ids. */
  | { readonly kind: "step"; readonly sql: readonly string[] }
  /** Rows outside of conversations, or unknown to steps. `@person` is the id. */
  | {
      readonly kind: "person";
      readonly sql: readonly string[];
      /** Selects texts of the person `?` that another speaker repeats (`speaker`, `text`, perhaps `whole`), to clean conversations. */
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
  | { readonly kind: "compared"; readonly how: string };

export interface ErasureRows {
  readonly words: readonly { readonly id: MessageId; readonly words: string | null }[];
  readonly claims: readonly (ClaimKey & { readonly body: string })[];
  readonly title: string | null;
  readonly uninstructed: boolean;
}
