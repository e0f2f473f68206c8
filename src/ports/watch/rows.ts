/** The rows of watches. No member throws or rejects. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Done } from "../host.ts";
import type { Watch, WatchEvent } from "./watches.ts";

/** A thread that an event began, and those of the same fingerprint joined. */
export interface WatchThread {
  readonly conversation: ConversationId;
  readonly place: string;
  /** The platform's id of its first message. */
  readonly message: string;
  readonly event: WatchEvent;
  /** Events, the first one included. */
  readonly count: number;
  /** Of these, how many its first message says. */
  readonly told: number;
  readonly began: Millis;
  readonly last: Millis;
}

interface Kept {
  watches(): readonly Watch[];
  /** Inserts or replaces. */
  putWatch(watch: Watch): Promise<Done>;
  dropWatch(id: string): Promise<Done>;
}

interface Begun {
  /** The newest of that fingerprint; null where there is none. */
  newest(watch: string, fingerprint: string): WatchThread | null;
  /** Those that the watch began last, the newest first. */
  lately(watch: string, most: number): readonly WatchThread[];
  /** When each began that the watch has begun since, oldest first. */
  begunSince(watch: string, since: Millis): readonly Millis[];
  /** Those whose first message does not say yet how many there are. */
  untold(): readonly WatchThread[];
  /** The event has begun a thread: it is handled, in the same transaction. */
  begin(thread: WatchThread, inbox: string): Promise<Done>;
  /** The event has joined it: it is counted and handled in one transaction, once. */
  join(conversation: ConversationId, inbox: string, at: Millis): Promise<Done>;
  told(conversation: ConversationId, count: number): Promise<Done>;
}

export interface WatchRows extends Kept, Begun {}
