import type { Done, WriteFailure } from "../../../ports/host.ts";
import type { ReplicatedRow } from "../../../ports/membership.ts";

/** Unit of ownership: a conversation with its sub-agents, named by the id of the top conversation. */
export type HomeId = string;

/** Members and owners, as all hosts have agreed on them. No method throws or rejects. */
export interface FleetRows {
  /**
   * Names of the hosts that may write, in the order in which they joined; the first host leads. Empty if this host is alone.
   */
  members(): readonly string[];
  /** Instance (one start) of the host; null if the host is not a member. */
  instanceOf(host: string): string | null;
  /** Null if no member has the conversation. */
  ownerOf(home: HomeId): string | null;
  /** Adds the host as the last member; replaces an earlier member of the same name. */
  join(host: string, instance: string): Promise<Done>;
  /** Removes the member, if that instance is still the member. Other hosts can then take its conversations. */
  leave(host: string, instance: string): Promise<Done>;
  /** Takes the conversations that no member has; returns the owner of each, in order. */
  own(
    homes: readonly HomeId[],
    host: string,
  ): Promise<{ readonly kind: "owned"; readonly by: readonly string[] } | WriteFailure>;
  /**
   * Hands over a conversation of `from`. Fails with `conflict` if `from` does not have the conversation or `to` is not a
   * member.
   */
  give(home: HomeId, from: string, to: string): Promise<Done>;
}

export interface OwnerReply<Answer> {
  readonly answer: Answer;
}

/** The other hosts, as the runtime of one host sees them. No method throws or rejects. */
export interface Fleet {
  readonly name: string;
  /**
   * Sends an errand, which must be valid JSON. When the promise resolves, this host has every row that the other host had when
   * it answered. Null if the host is no longer a member or did not answer in time; the errand might still have been carried
   * out.
   */
  ask(host: string, errand: unknown): Promise<OwnerReply<unknown> | null>;
  /** Resolves when this host has every row that the database contained at the call, or when the database does not answer. */
  caughtUp(): Promise<void>;
  /** Answers errands of other hosts from now on. Must be called at most once. */
  serve(answer: (errand: unknown) => Promise<unknown>): void;
  /**
   * Called after the replica has applied rows of other hosts. Each changed row of the tables listed in `heard` (`Tables`) is
   * reported once and in order. Changes of other tables follow some seconds later, without their rows.
   */
  heard(listener: (changed: readonly ReplicatedRow[]) => void): void;
  /** Called when the members in the replica have changed, and once at registration for the current members. */
  joined(listener: () => void): void;
}
