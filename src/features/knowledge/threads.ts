/** Solved threads of public channels, as a source. Declared here for the caller's layer. No method throws or rejects. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { ArchivedText } from "../../ports/forge-archive.ts";

export interface SolvedThread {
  readonly key: ConversationId;
  readonly at: Millis;
  /** Null if the platform does not answer at the moment. */
  readonly isPublic: boolean | null;
}

/** `community`: people who can read each other's public channels. */
export interface SolvedThreads {
  communityOf(channel: ChannelAddress): string;
  /** All threads that count as solved now, by key. */
  standing(community: string): Promise<readonly SolvedThread[]>;
  /** Null if the thread no longer counts as solved, or its address is unknown. */
  read(key: ConversationId): Promise<ArchivedText | null>;
}
