/** Notes that people approved for a channel (D57). No member throws or rejects. */

import type { ChannelAddress } from "./channels.ts";
import type { Conversation } from "./conversation.ts";

export interface NoteForModel {
  readonly id: string;
  /** Text, author and date in one line. */
  readonly line: string;
}

export interface ChannelNotes {
  /** Notes for a conversation's next request, the most important first. */
  usedIn(conversation: Conversation): readonly NoteForModel[];
  /** Lines of the channel's own notes, the most important first. */
  inChannel(at: ChannelAddress): readonly string[];
  /** Lines of the notes that still exist. */
  lines(ids: readonly string[]): readonly string[];
}
