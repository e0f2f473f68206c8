/** What channels have of their own, as the page shows and sets it. */

import type { PersonId } from "../../../machine/id.ts";
import type { ChannelAddress, ChannelName, Instructions, ChannelOverrides } from "../../../ports/channels.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";

export interface ChannelRow extends ChannelOverrides, ChannelAddress {
  /** As people name it; null where none is chosen. */
  readonly repo: string | null;
  /** A day, where somebody set one; `most` null: no bound. */
  readonly budget: { readonly most: MicroUsd | null } | null;
  /** What conversations that begin there are told; null where nobody said anything. */
  readonly instructions: Instructions | null;
}

export interface ChannelNames {
  /** What the platform said last; null where it was not asked yet, or did not say. */
  known(channel: ChannelAddress): ChannelName | null;
  /** In the same order. What was read minutes ago is not asked again. */
  read(channels: readonly ChannelAddress[]): Promise<readonly ChannelName[]>;
}

/** What is absent stays as it is. */
export interface ChannelChange extends Partial<ChannelOverrides>, ChannelAddress {
  readonly repo?: string;
  readonly budget?: MicroUsd | null;
  /** Null, or text of nothing but blanks, clears them. At most MAX_INSTRUCTIONS bytes. */
  readonly instructions?: string | null;
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
