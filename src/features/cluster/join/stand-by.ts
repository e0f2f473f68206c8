/**
 * Joins the active hosts as soon as the replica is up to date and nothing prevents joining. Until then, this host's answer on
 * the console's port names the active host.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { JoinContext } from "../../../feature.ts";
import { takeLock } from "../../../store/base/lock.ts";
import { nameIn } from "../../../store/base/connect.ts";
import type { FleetDatabase, OpenedDatabase } from "../database/fleet-database.ts";
import type { HostRow } from "../database/hosts.ts";
import type { FleetSettings } from "../database/link.ts";
import { fleetSettings } from "../settings/database.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { answerOnStandby } from "./standby-answers.ts";

export type StoodBy = Awaited<ReturnType<typeof standBy>>;

/** Milliseconds between two attempts to reach the database. */
const AGAIN = 2_000;

/** `left`: the host was stopped before it joined. */
export const standBy = async (
  settings: ClusterSettings,
  { log, leaving, data, version, preload, console: listens }: Omit<JoinContext, "amazon">,
) => {
  const lock = takeLock(data);
  if (lock.kind === "refused") return failed(lock.message);
  await using undone = new AsyncDisposableStack();
  undone.defer(lock.release);
  const read = fleetSettings(settings, { version });
  if (read?.kind !== "settings") return failed(read?.problem ?? "PARLEY_DATABASE is not set.");
  const { name } = read.settings;
  let database: FleetDatabase | null = null;
  const hosts = async (): Promise<readonly HostRow[]> => {
    const rows = (await database?.hosts()) ?? [];
    return "kind" in rows ? [] : rows;
  };
  // Answers before the database is reachable; otherwise a supervisor would restart the host again and again.
  const answering = await answerOnStandby({ ...listens, name, version }, hosts);
  if (answering.kind === "failed") return failed(answering.message);
  undone.defer(answering.close);
  console.log(`standing by: ${name} on ${answering.url}`);
  const opened = await openWhenThere(read.settings, leaving);
  if (opened === null) return LEFT;
  if (opened.kind === "refused") return failed(opened.why);
  ({ database } = opened);
  undone.defer(database.close);
  void preload();
  const lease = await database.join(nameIn(data), log, leaving);
  if (lease === null) return LEFT;
  if (lease.kind === "refused") return failed(lease.why);
  undone.move();
  await answering.close();
  const { close } = database;
  const member = {
    name,
    lease,
    /** Lock of the data directory. */
    lock,
    hosts,
    /** Leaves the cluster; the other hosts take over this host's conversations. */
    leave: async (): Promise<void> => {
      await lease.release();
      await close();
    },
  };
  return { kind: "active" as const, member };
};

const LEFT = { kind: "left" } as const;

const failed = (problem: string) => ({ kind: "failed" as const, problems: [problem] });

/** Waits for an unreachable database, and returns a refusal that only an operator can resolve. Null if the host must end. */
const openWhenThere = async (
  settings: FleetSettings,
  leaving: AbortSignal,
): Promise<Exclude<OpenedDatabase, { readonly kind: "away" }> | null> => {
  const { openFleetDatabase } = await import("../database/fleet-database.ts");
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
