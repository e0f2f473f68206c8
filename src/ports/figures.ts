import type { ConversationId, Millis } from "../machine/id.ts";
import type { KnowledgeFigures } from "./knowledge.ts";
import type { QuestionRow } from "./store.ts";

export interface Figures {
  readonly working: number;
  /** Threads with undelivered posts, per surface; surfaces without any are omitted. */
  readonly behind: Readonly<Record<string, number>>;
  /** Unhandled events per surface; surfaces without any are omitted. */
  readonly unhandled: Readonly<Record<string, number>>;
  /** In bytes. */
  readonly database: number;
}

export interface HostFigures {
  readonly waiting: () => readonly QuestionRow[];
  readonly parked: () => number;
  /** Empty if this host is alone. */
  readonly hosts: () => Promise<readonly FleetHost[]>;
  readonly knowledge: () => KnowledgeFigures;
  /** Number of threads that are incomplete for a minute or longer, per chat platform. */
  readonly lateOn: () => Readonly<Record<string, number>>;
}

export interface SlotLoad {
  readonly most: number;
  readonly inUse: number;
  readonly waiting: number;
}

export interface HostStatus {
  readonly startedAt: number;
  readonly figures: Figures;
  readonly slots: { readonly model: SlotLoad; readonly tools: SlotLoad };
  /** Conditions that need the operator, oldest first. `text` is the host's own. */
  readonly alerts: readonly { readonly text: string; readonly began: number }[];
  readonly waiting: readonly (QuestionRow & { readonly title: string; readonly surface: string })[];
  readonly late: readonly (LateThread & { readonly title: string; readonly surface: string })[];
  readonly parked: number;
  readonly knowledge: KnowledgeFigures;
  readonly hosts: readonly FleetHost[];
  /** Bytes of the data directory's file system; null if unknown. */
  readonly disk: { readonly free: number; readonly size: number } | null;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
}

export interface FleetHost {
  readonly name: string;
  readonly version: string;
  /** Whether the host shares in the work. */
  readonly active: boolean;
  /** Whether the host also does the work that only one host may do. */
  readonly leads: boolean;
  readonly isLive: boolean;
  readonly draining: boolean;
  /** Time of the last sign of life, by the database's clock. */
  readonly seen: Millis;
  /** Number of changes that the host's copy of the database lacks. */
  readonly behind: number;
}

export const hostStatusLabel = ({
  active,
  isLive,
  draining,
}: Pick<FleetHost, "active" | "isLive" | "draining">): "active" | "standby" | "draining" | "silent" => {
  if (!isLive) return "silent";
  if (draining) return "draining";
  return active ? "active" : "standby";
};

/** A thread that is incomplete for a minute or longer. */
export interface LateThread {
  readonly conversation: ConversationId;
  readonly since: Millis;
  /** Reason, as far as it is known, without a full stop. */
  readonly why: string;
}
