/** Several hosts, one Parley: who is there, what is whose, and how one asks another. */

import type { Done, WriteFailure } from "../../../ports/host.ts";
import type { ReplicatedRow } from "../../../ports/membership.ts";

/** What one host has as a whole: a conversation with its sub-agents, by the id of the one at the top. */
export type HomeId = string;

/** Who is there and what is whose, as all hosts have agreed on it. No member throws or rejects. */
export interface FleetRows {
  /** Hosts that may write, by name, in the order in which they joined: the first one leads. Empty where this host is alone. */
  members(): readonly string[];
  /** Which start of the host is a member. */
  instanceOf(host: string): string | null;
  /** Null: nobody's who is a member. */
  ownerOf(home: HomeId): string | null;
  /** Becomes the last member; a host of the same name that was one is one no more. */
  join(host: string, instance: string): Promise<Done>;
  /** Is no member any more, where that start of the host still is one. What it has is free. */
  leave(host: string, instance: string): Promise<Done>;
  /** Takes those that nobody has who is a member; answers whose each is then, in order. */
  own(
    homes: readonly HomeId[],
    host: string,
  ): Promise<{ readonly kind: "owned"; readonly by: readonly string[] } | WriteFailure>;
  /** Hands over what `from` has; `conflict` where it does not have it, or `to` is no member. */
  give(home: HomeId, from: string, to: string): Promise<Done>;
}

export interface OwnerReply<Answer> {
  readonly answer: Answer;
}

/** The other hosts, as the runtime of one sees them. No member throws or rejects. */
export interface Fleet {
  /** Of this host. */
  readonly name: string;
  /**
   * What JSON can say. When it answers, this host has every row that the other one had when it answered. Null: it is no member any
   * more, or gave no answer in time; whether it did what it was asked is not known.
   */
  ask(host: string, errand: unknown): Promise<OwnerReply<unknown> | null>;
  /** Settles when this host has every row that was there when it was asked, or the database does not answer. */
  caughtUp(): Promise<void>;
  /** From now on errands of other hosts are answered. Once. */
  serve(answer: (errand: unknown) => Promise<unknown>): void;
  /** After the replica has taken what other hosts wrote; in order, each row of tables that are `heard` (`Tables`) once. Of other rows some seconds later, and none. */
  heard(listener: (changed: readonly ReplicatedRow[]) => void): void;
  /** Members came or went, and the replica says so; also once for every member that is there when it is first listened to. */
  joined(listener: () => void): void;
}
