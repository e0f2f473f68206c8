import type { FleetHost } from "./figures.ts";
import type { Ambient } from "./host.ts";
import type { Observer } from "./observer.ts";
import { SINGLE_HOST, type Ownership } from "./ownership.ts";
import type { Rows } from "./rows.ts";
import type { Blobs, Objects, Store } from "./store.ts";
import type { Ledger } from "./surface.ts";
import type { Millis } from "../machine/id.ts";

export interface Membership {
  readonly name: string | null;
  readonly ownership: Ownership;
  /** Names of the hosts that may write, in the order in which they joined. The first one leads. Empty if the host is alone. */
  readonly members: () => readonly string[];
  readonly hosts: () => Promise<readonly FleetHost[]>;
  /** Wraps the observer so that it first checks whether this host is still a member. */
  readonly observe: (observer: Observer) => Observer;
  /** Transfer of checkouts between hosts; null if each checkout remains on its host. */
  readonly travels: SharedCheckouts | null;
  readonly blobs: Blobs | null;
  /** Time that turns may still take during a handover. */
  readonly handover: Millis;
  readonly drained: Promise<unknown>;
  /** The other hosts take over this host's conversations. */
  readonly leave: () => Promise<void>;
}

export interface SharedCheckouts {
  /** Number of takeovers so far. */
  readonly epoch: number;
  /** Null if the hosts share only their database. */
  readonly shared: Objects | null;
}

export const NO_OTHER_HOSTS: Membership = {
  name: null,
  ownership: SINGLE_HOST,
  members: () => [],
  hosts: () => Promise.resolve([]),
  observe: (observer) => observer,
  travels: null,
  blobs: null,
  handover: 0,
  drained: new Promise(() => undefined),
  leave: () => Promise.resolve(),
};

export interface JoinedHost {
  readonly kind: "joined";
  readonly lock: { readonly kind: "taken"; readonly release: () => void };
  readonly writing: SharedWriting;
  /** Completes the join once the store is open, and announces this host to the others. */
  readonly settle: (opened: SettledStore) => Promise<SettledMembership>;
}

export interface SettledStore extends Ambient {
  readonly rows: Rows;
  readonly store: Store;
  readonly ledger: Ledger;
}

export type SettledMembership =
  | { readonly kind: "settled"; readonly membership: Membership }
  | { readonly kind: "failed"; readonly message: string };

/** Extends the writer thread for databases with several writers: the thread loads module `url` with a copy of `data`. */
export interface SharedWriting {
  readonly url: string;
  readonly data: unknown;
  /** Returns the milliseconds between an answer and the next batch. */
  readonly gathers: () => number;
  /** Called when the thread has begun. `look` updates the file up to a group of writes. `isOpen`: the file can be read. */
  readonly begun: (look: (seq: number) => void, isOpen: () => boolean) => void;
  readonly hear: (said: WriterNotice) => void;
}

export type WriterNotice =
  | { readonly why: string }
  /** The file contains everything up to group `seq`. `changed`: rows of other hosts that this host observes. */
  | {
      readonly seq: number;
      readonly changed: readonly ReplicatedRow[];
      /** Set every second while other hosts write much. */
      readonly isShared?: boolean;
    };

/** A row that another host wrote, in this host's current version. */
export interface ReplicatedRow {
  readonly table: string;
  readonly key: readonly (string | number | null)[];
}
