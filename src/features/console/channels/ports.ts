import type { PersonId } from "../../../machine/id.ts";
import type { ChannelAddress, ChannelName, Instructions, ChannelOverrides } from "../../../ports/channels.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";

export interface ChannelRow extends ChannelOverrides, ChannelAddress {
  /** Name of the repository, as people write it; null if none is chosen. */
  readonly repo: string | null;
  /** Daily budget, if one is set; `most` is null for no limit. */
  readonly budget: { readonly most: MicroUsd | null } | null;
  /** Instructions for conversations that start in the channel; null if there are none. */
  readonly instructions: Instructions | null;
}

export interface ChannelNames {
  /** Last answer of the platform; null if the platform was not queried yet or did not answer. */
  known(channel: ChannelAddress): ChannelName | null;
  /** Names in the order of `channels`. Names that were read within the last minutes are not read again. */
  read(channels: readonly ChannelAddress[]): Promise<readonly ChannelName[]>;
}

/** Absent fields stay unchanged. */
export interface ChannelChange extends Partial<ChannelOverrides>, ChannelAddress {
  readonly repo?: string;
  readonly budget?: MicroUsd | null;
  /** Null or blank text removes the instructions. At most MAX_INSTRUCTIONS bytes. */
  readonly instructions?: string | null;
}

export interface ChannelBook {
  all(): readonly ChannelRow[];
  /** Checks the whole change before any part is stored. `why`: a sentence for the person. */
  set(
    change: ChannelChange,
    by: PersonId,
  ): Promise<{ readonly kind: "done" } | { readonly kind: "refused"; readonly why: string } | WriteFailure>;
}
