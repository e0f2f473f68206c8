/** What channels have of their own, as it is shown and set from outside of chat; declared on the caller's floor. */

import type { Millis, PersonId } from "../core/id.ts";
import type { WriteFailure } from "./ports.ts";
import type { MicroUsd } from "./ports-money.ts";

/** What a channel has of its own, beside its repository and budget. */
export interface ChannelSettings {
  /** Key of the work mode that its conversations begin in; null: the usual one. */
  readonly mode: string | null;
  /** Who may approve there beside those of PARLEY_APPROVERS: `U…`, `group:S…`, a number, `role:…`. */
  readonly approvers: readonly string[];
  readonly by: PersonId;
  readonly at: Millis;
}

/** The rows of channels, among those of chat surfaces. */
export interface ChannelRows {
  /** Null where nobody has set anything. */
  channel(surface: string, place: string): ChannelSettings | null;
  setChannel(
    surface: string,
    place: string,
    settings: ChannelSettings,
  ): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** Those that have a repository, settings or a budget of their own. */
  channels(): readonly { readonly surface: string; readonly place: string }[];
}

export interface ChannelRow {
  /** Name of the connection, and the platform's id of the channel. */
  readonly surface: string;
  readonly place: string;
  /** As people name it; null where none is chosen. */
  readonly repo: string | null;
  /** Key of the work mode that conversations begin in; null: the usual one. */
  readonly mode: string | null;
  /** Who may approve there beside those of PARLEY_APPROVERS: `U…`, `group:S…`, a number, `role:…`. */
  readonly approvers: readonly string[];
  /** A day, where somebody set one; `most` null: no bound. */
  readonly budget: { readonly most: MicroUsd | null } | null;
}

/** What is absent stays as it is. */
export interface ChannelChange {
  readonly surface: string;
  readonly place: string;
  readonly repo?: string;
  readonly mode?: string | null;
  readonly approvers?: readonly string[];
  readonly budget?: MicroUsd | null;
}

export interface ChannelBook {
  /** Of every channel that has anything of its own. */
  all(): readonly ChannelRow[];
  /** All of it is checked before any of it is stored. `why` is a sentence for the person. */
  set(
    change: ChannelChange,
    by: PersonId,
  ): Promise<{ readonly kind: "done" } | { readonly kind: "refused"; readonly why: string } | WriteFailure>;
}
