/** This host among those that share a database, if it is one of several. */

import type { FleetHost } from "./figures.ts";
import type { Ambient } from "./host.ts";
import type { Observer } from "./observer.ts";
import { SINGLE_HOST, type Ownership } from "./ownership.ts";
import type { Rows } from "./rows.ts";
import type { Blobs, Objects, Store } from "./store.ts";
import type { Ledger } from "./surface.ts";
import type { Millis } from "../machine/id.ts";

export interface Membership {
  /** Null: the host is alone. */
  readonly name: string | null;
  readonly ownership: Ownership;
  /** Hosts that may write, by name, in the order in which they joined: the first one leads. Empty where the host is alone. */
  readonly members: () => readonly string[];
  /** Every host that the database has seen. Empty where the host is alone. */
  readonly hosts: () => Promise<readonly FleetHost[]>;
  /** The observer of the ports, looking whether this host still is a member before what it observes. */
  readonly observe: (observer: Observer) => Observer;
  /** How checkouts go from one host to the next; null: they stay. */
  readonly travels: SharedCheckouts | null;
  /** Pictures and files, where all hosts find them; null: each host keeps its own. */
  readonly blobs: Blobs | null;
  /** How long turns may go on when the host hands over. */
  readonly handover: Millis;
  /** Settles when the host is to hand over. */
  readonly drained: Promise<unknown>;
  /** Others take over what the host has. */
  readonly leave: () => Promise<void>;
}

export interface SharedCheckouts {
  /** How often a host took over. */
  readonly epoch: number;
  /** Null: the hosts share nothing beside their database. */
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

/** A host that has joined others, before its store is open. */
export interface JoinedHost {
  readonly kind: "joined";
  /** Of the data directory. */
  readonly lock: { readonly kind: "taken"; readonly release: () => void };
  readonly writing: SharedWriting;
  /** Once the store is open: the others know of this host. */
  readonly settle: (opened: SettledStore) => Promise<SettledMembership>;
}

export interface SettledStore extends Ambient {
  readonly rows: Rows;
  readonly store: Store;
  readonly ledger: Ledger;
}

export type SettledMembership =
  | { readonly kind: "settled"; readonly membership: Membership }
  /** A sentence for the operator. */
  | { readonly kind: "failed"; readonly message: string };

/** How the thread that writes does it where others write, too: the module `url` is loaded there and gets `data`, a copy. */
export interface SharedWriting {
  readonly url: string;
  readonly data: unknown;
  /** Milliseconds between an answer and the next batch. */
  readonly gathers: () => number;
  /** The thread has begun. `look` brings the file up to a group of writes; `isOpen`: the file can still be read. */
  readonly begun: (look: (seq: number) => void, isOpen: () => boolean) => void;
  readonly hear: (said: WriterNotice) => void;
}

/** What the thread says beside its answers. */
export type WriterNotice =
  /** Nothing can be written any more. */
  | { readonly why: string }
  /** The file has everything up to the group, of which these rows are others' that somebody hears of. */
  | {
      readonly seq: number;
      readonly changed: readonly ReplicatedRow[];
      /** Said every second: others write much at the moment. */
      readonly isShared?: boolean;
    };

/** A row that another host wrote, as this host's file has it now. */
export interface ReplicatedRow {
  readonly table: string;
  /** Of the row. */
  readonly key: readonly (string | number | null)[];
}
