/** The database that several hosts share: PostgreSQL has the truth, and each host a replica of it. */

import type { HomeId } from "../ports/fleet.ts";
import type { Log } from "../../../ports/host.ts";
import { askWithoutMembership } from "./errands.ts";
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
  /** It does not answer; it may be back soon. */
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
   * Keeps the replica in `file` up until this host is one of those that write; a database that is away is waited for. Null
   * where the signal comes first.
   */
  join: (file: string, log: Log, signal: AbortSignal): Promise<Lease | LinkRefusal | null> =>
    enter({ settings, id, file, log }, signal),
  /** Every host that was seen, by name. */
  hosts: () => listHosts(link),
  /** The host hands over when it has finished what it does, and does not join again until it is started anew. */
  drain: (name: string) => startDraining(link, name),
  /** What a host answers to whoever is none. */
  ask: (host: string, errand: unknown) => askWithoutMembership(link, host, errand),
  /** Which host has it; null where none that is there does. */
  ownerOf: (home: HomeId) => owningHostOf(link, home),
  /** Copies a SQLite database, which nobody uses, into an empty one; goes on where it was interrupted. */
  importFrom: (file: string, told: (share: number) => void) => importInto(settings, file, told),
  inspect: () => inspectDatabase(settings),
  close: () => link.close(),
});
