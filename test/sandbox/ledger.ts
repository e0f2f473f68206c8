/** What a spawn server holds of the machine, counted: taken before something and after it, and compared. */

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { childrenOf } from "./host.ts";

export interface Ledger {
  /** Below the server, without what waits for a command (launcher/server/ready.c); zombies among them. */
  readonly processes: number;
  readonly zombies: number;
  readonly descriptors: number;
  readonly mounts: number;
  /** Control groups below the server's own that have somebody in them. */
  readonly groups: number;
  /** Of all kinds, of the server and what is below it. */
  readonly namespaces: number;
  /** Temporary directories on the host that belong to the given users. */
  readonly places: number;
}

export const ledgerOf = (server: number, uids: readonly number[]): Ledger => {
  const all = [server, ...below(server)];
  const waiting = all.filter((pid) => commOf(pid) === "parley-warm");
  const hold = waiting.map((pid) => parentOf(pid)).filter((pid) => pid !== server);
  const ours = all.filter((pid) => !waiting.includes(pid) && !hold.includes(pid));
  return {
    processes: ours.length,
    zombies: ours.filter((pid) => field(pid, "State").startsWith("Z")).length,
    descriptors: list(`/proc/${server}/fd`).length,
    mounts: read(`/proc/${server}/mountinfo`).split("\n").length,
    groups: new Set(ours.map((pid) => read(`/proc/${pid}/cgroup`))).size,
    namespaces: new Set(
      ours.flatMap((pid) => list(`/proc/${pid}/ns`).map((name) => link(`/proc/${pid}/ns/${name}`))),
    ).size,
    places: list("/tmp").filter((name) => name.startsWith("parley-tmp-") && uids.includes(ownerOf(name)))
      .length,
  };
};

/** Whether a process waits for the next command: it is made anew after each, while nobody waits. */
export const isReady = (server: number): boolean =>
  below(server).some((pid) => commOf(pid) === "parley-warm");

/** What the process has for itself, in KiB: what one more of its kind takes. Not the program, which all share. */
export const memoryOf = (pid: number): number =>
  [...read(`/proc/${pid}/smaps_rollup`).matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].reduce(
    (sum, [, size]) => sum + Number(size),
    0,
  );

const below = (pid: number): readonly number[] =>
  attempt(() => childrenOf(pid), []).flatMap((child) => [child, ...below(child)]);

const commOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();
const field = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s+(.*)$`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? "";
const parentOf = (pid: number): number => Number(field(pid, "PPid"));

const ownerOf = (name: string): number => attempt(() => statSync(`/tmp/${name}`).uid, -1);

const read = (path: string): string => attempt(() => readFileSync(path, "utf8"), "");
const list = (path: string): readonly string[] => attempt(() => readdirSync(path), []);
const link = (path: string): string => attempt(() => readlinkSync(path), "");

/** What has just ended has nothing. */
const attempt = <T>(look: () => T, nothing: T): T => {
  try {
    return look();
  } catch {
    return nothing;
  }
};
