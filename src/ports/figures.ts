/** How the host is, for whoever looks after it, declared on the caller's floor. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { KnowledgeFigures } from "./knowledge.ts";
import type { QuestionRow } from "./store.ts";

/** How much of what is stored waits for something. */
export interface Figures {
  /** Conversations with a turn under way. */
  readonly working: number;
  /** Threads whose platform does not show yet what is stored, by surface; those with none are left out. */
  readonly behind: Readonly<Record<string, number>>;
  /** What arrived and is not handled, by surface; those with none are left out. */
  readonly unhandled: Readonly<Record<string, number>>;
  /** Bytes of the database. */
  readonly database: number;
}

/** Numbers of the host, each looked up when an observer asks. */
export interface HostFigures {
  readonly waiting: () => readonly QuestionRow[];
  /** Checkouts that are parked. */
  readonly parked: () => number;
  /** Empty if this host is alone. */
  readonly hosts: () => Promise<readonly FleetHost[]>;
  readonly knowledge: () => KnowledgeFigures;
  /** Threads of each chat platform that have lacked something for a minute. */
  readonly lateOn: () => Readonly<Record<string, number>>;
}

/** How busy the slots are at this moment. */
export interface SlotLoad {
  readonly most: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** What the host says of itself at one moment. */
export interface HostStatus {
  readonly startedAt: number;
  readonly figures: Figures;
  readonly slots: { readonly model: SlotLoad; readonly tools: SlotLoad };
  /** What needs the operator, the oldest first; `text` is the host's own. */
  readonly alerts: readonly { readonly text: string; readonly began: number }[];
  /** Oldest first, with the titles of their conversations. */
  readonly waiting: readonly (QuestionRow & { readonly title: string; readonly surface: string })[];
  /** Threads that have lacked something for a minute, with the titles of their conversations. */
  readonly late: readonly (LateThread & { readonly title: string; readonly surface: string })[];
  /** Checkouts that are parked. */
  readonly parked: number;
  /** What channels know beside their checkouts. */
  readonly knowledge: KnowledgeFigures;
  /** Empty where this host is alone. */
  readonly hosts: readonly FleetHost[];
  /** Bytes of the file system of the data directory; null where it does not tell. */
  readonly disk: { readonly free: number; readonly size: number } | null;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
}

/** One of several hosts, as their database knows it. */
export interface FleetHost {
  readonly name: string;
  readonly version: string;
  /** It does its part of the work. */
  readonly active: boolean;
  /** It does, too, what is one host's for all. */
  readonly leads: boolean;
  readonly isLive: boolean;
  /** It is to hand over. */
  readonly draining: boolean;
  /** When it was last heard of, by the database's clock. */
  readonly seen: Millis;
  /** Changes that its copy of the database lacks. */
  readonly behind: number;
}

/** In one word, for people. */
export const hostStatusLabel = ({
  active,
  isLive,
  draining,
}: Pick<FleetHost, "active" | "isLive" | "draining">): "active" | "standby" | "draining" | "silent" => {
  if (!isLive) return "silent";
  if (draining) return "draining";
  return active ? "active" : "standby";
};

/** A thread that has lacked something for a minute. */
export interface LateThread {
  readonly conversation: ConversationId;
  readonly since: Millis;
  /** Why, as far as it is known: no full stop. */
  readonly why: string;
}
