/** The database that several hosts share: PostgreSQL has the truth, and each host a replica of it. */

import type { Home, Told } from "../../ports/fleet/fleet.ts";
import type { Log } from "../../ports/host.ts";
import { askBeside } from "./errands.ts";
import { type HostRow, listHosts, ownerOf, startDraining } from "./hosts.ts";
import { importInto } from "./import.ts";
import { inspectDatabase, type Inspection } from "./inspect.ts";
import { createLink, type Done, type FleetSettings, type Refused, type Trouble } from "./link.ts";
import { enter, type Lease } from "./member.ts";
import { prepareSchema } from "./schema.ts";

export interface FleetDatabase {
  /**
   * Keeps the replica in `file` up until this host is one of those that write; a database that is away is waited for. Null
   * where the signal comes first.
   */
  join(file: string, signal: AbortSignal): Promise<Lease | Refused | null>;
  /** Every host that was seen, by name. */
  hosts(): Promise<readonly HostRow[] | Trouble>;
  /** The host hands over when it has finished what it does, and does not join again until it is started anew. */
  drain(name: string): Promise<Done | Trouble>;
  /** What a host answers to whoever is none. */
  ask(host: string, errand: unknown): Promise<Told>;
  /** Which host has it; null where none that is there does. */
  ownerOf(home: Home): Promise<{ readonly kind: "owner"; readonly name: string | null } | Trouble>;
  /** Copies a SQLite database, which nobody uses, into an empty one. */
  importFrom(file: string, told: (share: number) => void): Promise<Done | Trouble>;
  inspect(): Promise<Inspection>;
  close(): Promise<void>;
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
      join: (file, signal) => enter({ settings, id: prepared.id, file, log }, signal),
      hosts: () => listHosts(link),
      drain: (name) => startDraining(link, name),
      ask: (host, errand) => askBeside(link, host, errand),
      ownerOf: (home) => ownerOf(link, home),
      importFrom: (file, told) => importInto(settings, file, told),
      inspect: () => inspectDatabase(settings),
      close: () => link.close(),
    },
  };
};
