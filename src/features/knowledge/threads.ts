/** Threads of public channels whose question was solved, as something to find; declared on the caller's floor. No member throws or rejects. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { ArchivedText } from "../../ports/forge-archive.ts";

export interface SolvedThread {
  readonly key: ConversationId;
  readonly at: Millis;
  /** Null: the platform does not tell now. */
  readonly isPublic: boolean | null;
}

/** `community`: people who read each other's public channels. */
export interface SolvedThreads {
  communityOf(channel: ChannelAddress): string;
  /** All that stand now, by key. */
  standing(community: string): Promise<readonly SolvedThread[]>;
  /** Null where it stands no more, or its address is not told. */
  read(key: ConversationId): Promise<ArchivedText | null>;
}
