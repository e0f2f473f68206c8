/**
 * Several hosts, one Parley: joins those that are active, as soon as its copy of the database is up and nothing stands against
 * it. Until then it answers on the console's port who is active.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { FleetRows } from "../../ports/cluster/fleet.ts";
import type { Log } from "../../ports/host.ts";
import type { FleetDatabase, Opened } from "../../store/cluster/fleet-database.ts";
import type { FleetSettings } from "../../store/cluster/link.ts";
import type { HostRow } from "../../store/cluster/hosts.ts";
import type { Config } from "../settings/config.ts";
import { fleetSettings } from "./fleet-settings.ts";
import { preload } from "./preload.ts";
import { answerOnStandby } from "./standby-answers.ts";

export type Member = Extract<Joined, { readonly kind: "active" }>["member"];

export type Joined = Awaited<ReturnType<typeof standBy>>;

/** Milliseconds between two tries to reach the database. */
const AGAIN = 2_000;

/** `left`: it was asked to end before. */
export const standBy = async (
  config: Config,
  { log, leaving }: { readonly log: Log; readonly leaving: AbortSignal },
) => {
  const { takeLock } = await import("../../store/lock.ts");
  const lock = takeLock(config.PARLEY_DATA);
  if (lock.kind === "refused") return failed(lock.message);
  await using undone = new AsyncDisposableStack();
  undone.defer(lock.release);
  const read = fleetSettings(config);
  if (read?.kind !== "settings") return failed(read?.problem ?? "PARLEY_DATABASE is not set.");
  let database: FleetDatabase | null = null;
  const hosts = async (): Promise<readonly HostRow[]> => {
    const rows = (await database?.hosts()) ?? [];
    return "kind" in rows ? [] : rows;
  };
  // Before the database is there: a supervisor would start it anew, again and again.
  const answering = await answerOnStandby(config, hosts);
  if (answering.kind === "failed") return failed(answering.message);
  undone.defer(answering.close);
  console.log(`standing by: ${config.PARLEY_HOST_NAME} on ${answering.url}`);
  const opened = await openWhenThere(read.settings, leaving);
  if (opened === null) return LEFT;
  if (opened.kind === "refused") return failed(opened.why);
  ({ database } = opened);
  undone.defer(database.close);
  const { nameIn } = await import("../../store/sqlite.ts");
  void preload(config);
  const lease = await database.join(nameIn(config.PARLEY_DATA), log, leaving);
  if (lease === null) return LEFT;
  if (lease.kind === "refused") return failed(lease.why);
  undone.move();
  await answering.close();
  const name = config.PARLEY_HOST_NAME;
  const { close } = database;
  const member = {
    name,
    lease,
    /** Of the database. */
    id: lease.id,
    fleet: lease.fleet,
    /** Of the data directory. */
    lock,
    hosts,
    /** Once the store is open: the others know of this host. Answers what keeps it from that, for the operator, or null. */
    settle: async (rows: FleetRows): Promise<string | null> => {
      const done = await lease.settle(rows);
      if (done.kind === "failed") return done.message;
      console.log(`active: ${name}`);
      return null;
    },
    /** Others take over what it has. */
    leave: async (): Promise<void> => {
      await lease.release();
      await close();
    },
  };
  return { kind: "active" as const, member };
};

const LEFT = { kind: "left" } as const;

const failed = (problem: string) => ({ kind: "failed" as const, problems: [problem] });

/** A database that cannot be reached now is waited for; what only an operator can mend is said. Null: it is to end. */
const openWhenThere = async (
  settings: FleetSettings,
  leaving: AbortSignal,
): Promise<Exclude<Opened, { readonly kind: "away" }> | null> => {
  const { openFleetDatabase } = await import("../../store/cluster/fleet-database.ts");
  let said = "";
  while (!leaving.aborted) {
    const opened = await openFleetDatabase(settings);
    if (opened.kind !== "away") return opened;
    if (said !== opened.why) console.error(`waiting for the database: ${opened.why}`);
    said = opened.why;
    await sleep(AGAIN, undefined, { signal: leaving }).catch(() => undefined);
  }
  return null;
};
