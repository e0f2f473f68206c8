/** What the runtime of one host asks of another one. No member throws or rejects. */

import type { ConversationId } from "../../../machine/id.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import type { ConversationChange, Detail } from "../../../ports/bot.ts";
import type { OwnerReply } from "./fleet.ts";

/** What an owner knows of a conversation beyond what is stored. */
export type LiveSnapshot = Pick<Detail, "status" | "live">;

/** What happened in a conversation, as it is told to another host: what is stored it reads from its own rows. */
export type ConversationNews =
  | { readonly kind: "posts"; readonly keys: readonly string[] }
  | { readonly kind: "state"; readonly status: ThreadStatus | null; readonly renamed?: true }
  | Extract<ConversationChange, { readonly kind: "live" | "progress" | "gone" }>;

export type NewsBatch = readonly (readonly [ConversationId, ConversationNews])[];

/** Null: the host is not there any more, or gave no answer. */
export interface OtherHosts {
  readonly name: string;
  /** A member of a port that the other host offers. It answers what the same member answers here: both run the same code. */
  call(
    host: string,
    port: string,
    member: string,
    given: readonly unknown[],
  ): Promise<OwnerReply<never> | null>;
  look(host: string, id: ConversationId): Promise<OwnerReply<LiveSnapshot | null> | null>;
  /** The conversation is to come here; what it does is stopped. */
  fetch(host: string, id: ConversationId): Promise<unknown>;
  tell(host: string, batch: NewsBatch): Promise<OwnerReply<unknown> | null>;
  /** Whether this host wants to be told what happens in it. */
  follow(host: string, id: ConversationId, on: boolean): Promise<unknown>;
  /** Settles when this host has every row that was there when it was asked. */
  caughtUp(): Promise<void>;
}
