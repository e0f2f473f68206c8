/** What the status page is told of the host, and of the others where there are several. */

import type { Ask } from "../../../src/machine/words.ts";
import type { About } from "./api-types.ts";

export interface HostStatusBody {
  readonly status: string;
  readonly version: string;
  readonly startedAt: number;
  readonly surfaces: Readonly<Record<string, string>>;
  readonly sandbox: About["sandbox"] & { readonly network: string; readonly residual: readonly string[] };
  readonly model: About["model"];
  readonly queues: {
    readonly working: number;
    readonly modelCalls: Slots;
    readonly toolProcesses: Slots;
    readonly behind: Readonly<Record<string, number>>;
    readonly unhandled: Readonly<Record<string, number>>;
  };
  readonly spend: { readonly todayUsd: number; readonly mostUsd: number | null; readonly renewsAt: number };
  readonly approvals: readonly (Waiting & { readonly kind: Ask["kind"]; readonly askedAt: number })[];
  /** Threads that do not show yet what is stored. */
  readonly late: readonly (Waiting & { readonly since: number; readonly why: string })[];
  readonly alerts: readonly { readonly text: string; readonly began: number }[];
  readonly parkedCheckouts: number;
  /** Where several share a database: those that it knows. */
  readonly hosts: readonly FleetHost[];
  /** What channels know beside their checkouts; `failing`: sources that cannot be read at present. */
  readonly knowledge: {
    readonly sources: number;
    readonly texts: number;
    readonly failing: number;
    readonly bytes: number;
  };
  /** Null where it is not known. */
  readonly disk: {
    readonly freeBytes: number;
    readonly sizeBytes: number;
    readonly databaseBytes: number;
  } | null;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
}

/** `behind`: changes that its copy of the database lacks; `seen`: when it was last heard of. */
interface FleetHost {
  readonly name: string;
  readonly version: string;
  readonly standing: "active" | "standby" | "draining" | "silent";
  readonly behind: number;
  readonly seen: number;
}

interface Waiting {
  readonly conversation: string;
  readonly title: string;
  readonly surface: string;
  readonly link: string;
}

interface Slots {
  readonly most: number;
  readonly inUse: number;
  readonly waiting: number;
}
