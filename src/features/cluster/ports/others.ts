import type { ConversationId } from "../../../machine/id.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import type { ConversationChange, Detail } from "../../../ports/bot.ts";
import type { OwnerReply } from "./fleet.ts";

/** Facts about a conversation that only its owner has, because they are not stored. */
export type LiveSnapshot = Pick<Detail, "status" | "live">;

/** An event in a conversation, as sent to another host, which reads stored data from its own rows. */
export type ConversationNews =
  | { readonly kind: "posts"; readonly keys: readonly string[] }
  | { readonly kind: "state"; readonly status: ThreadStatus | null; readonly renamed?: true }
  | Extract<ConversationChange, { readonly kind: "live" | "progress" | "gone" }>;

export type NewsBatch = readonly (readonly [ConversationId, ConversationNews])[];

/** Requests to other hosts. No method throws or rejects. The result is null if the host is gone or did not answer. */
export interface OtherHosts {
  readonly name: string;
  /**
   * Calls a method of a port that the other host offers. The result has the type of the local method, because both hosts run
   * the same code.
   */
  call(
    host: string,
    port: string,
    member: string,
    given: readonly unknown[],
  ): Promise<OwnerReply<never> | null>;
  look(host: string, id: ConversationId): Promise<OwnerReply<LiveSnapshot | null> | null>;
  /** Moves the conversation to this host; its current work is stopped. */
  fetch(host: string, id: ConversationId): Promise<unknown>;
  tell(host: string, batch: NewsBatch): Promise<OwnerReply<unknown> | null>;
  /** Starts or ends the reports about a conversation to this host. */
  follow(host: string, id: ConversationId, on: boolean): Promise<unknown>;
  /** Resolves when this host has every row that the database contained at the call. */
  caughtUp(): Promise<void>;
}
