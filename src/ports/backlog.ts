/** Reading what was missed, declared on the caller's floor. No member throws or rejects. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Arrival } from "./chat.ts";
import type { WriteFailure } from "./failure.ts";
import type { Seen, Trouble } from "./surface.ts";

/** Where messages come from: one thread, or the top level of a channel where `root` is null. */
export interface Source {
  readonly place: string;
  readonly root: string | null;
  /** Everything up to this position is handled and answered. */
  readonly since: string;
  /** The thread's conversation. */
  readonly conversation: ConversationId | null;
}

export type Missed =
  | {
      readonly kind: "read";
      readonly arrivals: readonly Arrival[];
      /** Of a thread: our own messages beside them. Their ids are positions. */
      readonly ours: readonly Seen[];
      /** Of a channel: ids of those arrivals whose threads hold messages of ours. */
      readonly taken: ReadonlySet<string>;
    }
  | Trouble;

export interface Backlog {
  /** Everything that people wrote there after `since`, all pages of it; as it would have arrived. */
  missed(source: Source): Promise<Missed>;
}

/** How far a connection's threads and channels are handled and answered. */
export interface Cursors {
  /** Channels, and the threads in which something happened since `after`, latest first. */
  sources(surface: string, after: Millis, limit: number): readonly Source[];
  /** Nothing is missing any more before what has arrived. */
  tighten(surface: string): Promise<{ readonly kind: "done" } | WriteFailure>;
}
