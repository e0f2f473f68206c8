/** What doctor says of the machine itself: Node, memory, open files, time zone, room in the data directory. */

import { readFileSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { prepareDataDirectory } from "../../host/settings/data-directory.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

/** Bytes. */
const LEAST_MEMORY = 1e9;
const LEAST_SPACE = 1e9;
const LEAST_FILES = 4_096;
const LEAST_INODES = 50_000;

export interface Machine {
  /** Bytes that this process and its commands may have. */
  readonly memory: number;
  /** Files that a process may have open; null where the system does not tell. */
  readonly files: number | null;
  readonly timeZone: string;
}

export const thisMachine = (): Machine => ({
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  files: filesOf(limits()),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export function* hostFindings({ memory, files, timeZone }: Machine): Generator<Finding> {
  yield nodeFinding(process.versions.node, process.execPath);
  const have = `${(memory / 1e9).toFixed(1)} GB`;
  yield memory >= LEAST_MEMORY
    ? ok("memory", have)
    : warning("memory", have, "Give it 1 GB: Parley takes up to half of that, and commands need some too.");
  if (files !== null) {
    const open = `a process may have ${files} open`;
    yield files >= LEAST_FILES
      ? ok("files", open)
      : warning("files", open, `Raise it to ${LEAST_FILES} or more: LimitNOFILE= in the unit, or ulimit -n.`);
  }
  yield ok("time zone", `${timeZone}; the days of budgets begin at 00:00 UTC everywhere`);
}

/** First releases without the weaknesses that became known on 21 October 2026 (docs/security.md, "Packages"). */
const SOUND: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  24: [22, 1],
  25: [Number.POSITIVE_INFINITY, 0],
  26: [12, 1],
};

export const nodeFinding = (version: string, path: string): Finding => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [leastMinor, leastPatch] = SOUND[major] ?? [0, 0];
  const found = `${version} (${path})`;
  return minor > leastMinor || (minor === leastMinor && patch >= leastPatch)
    ? ok("node", found)
    : warning(
        "node",
        found,
        "Its TLS and DNS have known weaknesses: start bin/parley.js with Node 24.22.1, 26.12.1 or newer (docs/security.md, Packages).",
      );
};

/** The hard limit: Node raises its own to it. */
const filesOf = (text: string): number | null => {
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(text) ?? [];
  return hard === undefined ? null : Number(hard);
};

const limits = (): string => {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
};

export interface Room {
  /** Bytes. */
  readonly free: number;
  /** Files that can still be made; null where the file system does not count them. */
  readonly inodes: number | null;
}

const roomIn = (directory: string): Room => {
  const { bavail, bsize, files, ffree } = statfsSync(directory);
  return { free: bavail * bsize, inodes: files === 0 ? null : ffree };
};

/** Makes the directory where it is missing, as starting would. */
export const dataFinding = (directory: string, room = roomIn): Finding => {
  const prepared = prepareDataDirectory(directory);
  if (prepared.kind === "failed") {
    return error(
      "data",
      prepared.message,
      /ENOSPC|EDQUOT/.test(prepared.message)
        ? "Make room on that disk."
        : "Correct it, or set PARLEY_DATA to another directory of this user.",
    );
  }
  const { free, inodes } = room(directory);
  const counted = inodes === null ? "" : ` and ${inodes} files`;
  const found = `${directory}, room for ${(free / 1e9).toFixed(1)} GB${counted}`;
  return free >= LEAST_SPACE && (inodes === null || inodes >= LEAST_INODES)
    ? ok("data", found)
    : warning("data", found, "Make room: mirrors and checkouts live here, and a checkout has many files.");
};
