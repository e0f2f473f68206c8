/**
 * Several hosts, one Parley: joins those that are active, as soon as its copy of the database is up and nothing stands against
 * it. Until then it answers on the console's port who is active.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Fleet } from "../../ports/fleet/fleet.ts";
import type { Log } from "../../ports/host.ts";
import type { FleetDatabase } from "../../store/replica/fleet-database.ts";
import type { FleetSettings } from "../../store/replica/link.ts";
import type { HostRow } from "../../store/replica/hosts.ts";
import type { Lease } from "../../store/replica/member.ts";
import type { MemberRows } from "../../ports/fleet/fleet.ts";
import type { StartWriter } from "../../store/write/writer.ts";
import type { Lock } from "../../store/lock.ts";
import type { Config } from "../settings/config.ts";
import { sharedProblem } from "../settings/shared-directory.ts";
import { fleetSettings } from "./fleet-settings.ts";
import { preload } from "./preload.ts";
import { answerOnStandby } from "./standby-answers.ts";

export interface Member {
  readonly name: string;
  /** Of the database. */
  readonly id: string;
  readonly lease: Lease;
  readonly fleet: Fleet;
  /** Of the data directory. */
  readonly lock: Extract<Lock, { readonly kind: "taken" }>;
  /** What is written is in the database of all hosts before it counts. */
  readonly write: StartWriter;
  hosts(): Promise<readonly HostRow[]>;
  /** Once the store is open: the others know of this host. Answers what keeps it from that, for the operator, or null. */
  settle(rows: MemberRows): Promise<string | null>;
  /** Others take over what it has. */
  leave(): Promise<void>;
}

export type Joined =
  | { readonly kind: "active"; readonly member: Member }
  /** It was asked to end before. */
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly problems: readonly string[] };

export const secretsOfFleet = (config: Config): readonly string[] => {
  const read = fleetSettings(config);
  return read?.kind === "settings" ? read.secrets : [];
};

/** Milliseconds between two tries to reach the database. */
const AGAIN = 2_000;

export const standBy = async (
  config: Config,
  { log, leaving }: { readonly log: Log; readonly leaving: AbortSignal },
): Promise<Joined> => {
  const { takeLock } = await import("../../store/lock.ts");
  const lock = takeLock(config.PARLEY_DATA);
  if (lock.kind === "refused") return failed(lock.message);
  const read = settingsOf(config);
  if (read.kind === "failed") {
    lock.release();
    return failed(read.problem);
  }
  let opened: Opened | null = null;
  const hosts = async (): Promise<readonly HostRow[]> => {
    const rows = opened?.kind === "open" ? await opened.database.hosts() : [];
    return "kind" in rows ? [] : rows;
  };
  // Before the database is there: a supervisor would start it anew, again and again.
  const answering = await answerOnStandby(config, hosts);
  if (answering.kind === "failed") {
    lock.release();
    return failed(answering.message);
  }
  console.log(`standing by: ${config.PARLEY_HOST_NAME} on ${answering.url}`);
  opened = await openWhenThere(read.settings, log, leaving);
  if (opened.kind !== "open") {
    await answering.close();
    lock.release();
    return opened;
  }
  const { database } = opened;
  const { nameIn } = await import("../../store/sqlite.ts");
  void preload(config);
  const stood = await database.join(nameIn(config.PARLEY_DATA), leaving);
  await answering.close();
  if (stood === null || stood.kind === "refused") {
    await database.close();
    lock.release();
    return stood === null ? { kind: "left" } : failed(stood.why);
  }
  const name = config.PARLEY_HOST_NAME;
  const settle = async (rows: MemberRows): Promise<string | null> => {
    const done = await stood.settle(rows);
    if (done.kind === "failed") return done.message;
    console.log(`active: ${name}`);
    return null;
  };
  const leave = async (): Promise<void> => {
    await stood.release();
    await database.close();
  };
  const { writeFenced } = await import("../../store/replica/write-fenced.ts");
  const write = writeFenced(stood.push);
  const { fleet, id } = stood;
  return { kind: "active", member: { name, id, lease: stood, fleet, lock, write, hosts, settle, leave } };
};

const failed = (problem: string): Joined => ({ kind: "failed", problems: [problem] });

const settingsOf = (config: Config): Exclude<ReturnType<typeof fleetSettings>, null> => {
  const read = fleetSettings(config);
  if (read === null) throw new Error("there is no database of several hosts");
  const problem = read.kind === "failed" ? null : sharedProblem(config);
  return problem === null ? read : { kind: "failed", problem };
};

type Opened =
  | { readonly kind: "open"; readonly database: FleetDatabase }
  | Exclude<Joined, { readonly kind: "active" }>;

/** A database that cannot be reached now is waited for; what only an operator can mend is said. */
const openWhenThere = async (settings: FleetSettings, log: Log, leaving: AbortSignal): Promise<Opened> => {
  const { openFleetDatabase } = await import("../../store/replica/fleet-database.ts");
  let said = "";
  while (!leaving.aborted) {
    const opened = await openFleetDatabase(settings, log);
    if (opened.kind === "open") return opened;
    if (opened.kind === "refused") return { kind: "failed", problems: [opened.why] };
    if (said !== opened.why) console.error(`waiting for the database: ${opened.why}`);
    said = opened.why;
    await sleep(AGAIN, undefined, { signal: leaving }).catch(() => undefined);
  }
  return { kind: "left" };
};
