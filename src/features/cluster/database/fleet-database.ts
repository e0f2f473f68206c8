/** The database that several hosts share: PostgreSQL holds the authoritative rows, and each host has a replica of them. */

import type { HomeId } from "../ports/fleet.ts";
import type { Log } from "../../../ports/host.ts";
import { askWithoutMembership } from "./host-requests.ts";
import { listHosts, owningHostOf, startDraining } from "./hosts.ts";
import { importInto } from "./import.ts";
import { inspectDatabase } from "./inspect.ts";
import { createLink, type FleetSettings, type DatabaseLink, type LinkRefusal } from "./link.ts";
import { enter, type Lease } from "./member.ts";
import { prepareSchema } from "./schema.ts";

export type FleetDatabase = ReturnType<typeof databaseOf>;

export type OpenedDatabase =
  | { readonly kind: "open"; readonly database: FleetDatabase }
  | LinkRefusal
  /** The database does not answer, but may be available again soon. */
  | { readonly kind: "away"; readonly why: string };

export const openFleetDatabase = async (settings: FleetSettings): Promise<OpenedDatabase> => {
  const link = createLink(settings);
  const prepared = await prepareSchema(link);
  if (prepared.kind !== "ready") {
    await link.close();
    const { why } = prepared;
    return { kind: prepared.kind === "trouble" && prepared.cause === "away" ? "away" : "refused", why };
  }
  return { kind: "open", database: databaseOf(settings, link, prepared.id) };
};

const databaseOf = (settings: FleetSettings, link: DatabaseLink, id: string) => ({
  /**
   * Keeps the replica in `file` up to date until this host may write; waits while the database is unavailable. Null if the
   * signal came first.
   */
  join: (file: string, log: Log, signal: AbortSignal): Promise<Lease | LinkRefusal | null> =>
    enter({ settings, id, file, log }, signal),
  hosts: () => listHosts(link),
  /** Makes a host hand over after its current work. The host does not join again until it is restarted. */
  drain: (name: string) => startDraining(link, name),
  /** Sends a request to a host, from a process that is not a host. */
  ask: (host: string, errand: unknown) => askWithoutMembership(link, host, errand),
  /** Null if no member has the conversation. */
  ownerOf: (home: HomeId) => owningHostOf(link, home),
  /** Copies a SQLite database that no process uses into an empty shared one. An interrupted import can continue. */
  importFrom: (file: string, told: (share: number) => void) => importInto(settings, file, told),
  inspect: () => inspectDatabase(settings),
  close: () => link.close(),
});
