/** The database that several hosts share: PostgreSQL has the truth, one host writes it, the others stand by. */

import type { Log } from "../../ports/host.ts";
import { type HostRow, listHosts, startDraining } from "./hosts.ts";
import { type Done, importInto } from "./import.ts";
import { inspectDatabase, type Inspection } from "./inspect.ts";
import type { KeptLease } from "./lease.ts";
import { createLink, type FleetSettings, type Refused, type Trouble } from "./link.ts";
import { prepareSchema } from "./schema.ts";
import { stand } from "./stand.ts";
import type { PushFrom } from "./write-fenced.ts";

export interface FleetDatabase {
  /**
   * Keeps the replica in `file` up until this host is the active one; a database that is away is waited for. Null where
   * the signal comes first.
   */
  stand(file: string, signal: AbortSignal): Promise<Lease | Refused | null>;
  /** Every host that was seen, by name. */
  hosts(): Promise<readonly HostRow[] | Trouble>;
  /** The host hands over when it has finished what it does, and does not take over again until it is started anew. */
  drain(name: string): Promise<Done | Trouble>;
  /** Copies a SQLite database, which nobody uses, into an empty one; goes on where it was interrupted. */
  importFrom(file: string, told: (share: number) => void): Promise<Done | Trouble>;
  inspect(): Promise<Inspection>;
  close(): Promise<void>;
}

export interface Lease extends Omit<KeptLease, "lose" | "renew"> {
  readonly kind: "lease";
  readonly epoch: number;
  /** For the writer of the store. */
  readonly push: PushFrom;
}

export type Opened =
  | { readonly kind: "open"; readonly database: FleetDatabase }
  | Refused
  /** It does not answer; it may be back soon. */
  | { readonly kind: "away"; readonly why: string };

export const openFleetDatabase = async (settings: FleetSettings, log: Log): Promise<Opened> => {
  const link = createLink(settings);
  const prepared = await prepareSchema(link);
  if (prepared.kind !== "ready") {
    await link.close();
    const { why } = prepared;
    return { kind: prepared.kind === "trouble" && prepared.cause === "away" ? "away" : "refused", why };
  }
  return {
    kind: "open",
    database: {
      stand: async (file, signal) => {
        const stood = await stand({ settings, id: prepared.id, file, log }, signal);
        if (stood?.kind !== "active") return stood;
        const { standing, session } = stood;
        const { lose, release, isHeld, held, over } = stood.lease;
        const released = async (): Promise<void> => {
          await release();
          await session.close();
        };
        const push = { settings, standing, lose };
        return { kind: "lease", epoch: standing.epoch, push, isHeld, held, over, release: released };
      },
      hosts: () => listHosts(link),
      drain: (name) => startDraining(link, name),
      importFrom: (file, told) => importInto(settings, file, told),
      inspect: () => inspectDatabase(settings),
      close: () => link.close(),
    },
  };
};
