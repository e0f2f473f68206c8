import { readFileSync, statfsSync, existsSync } from "node:fs";
import { totalmem } from "node:os";
import { prepareDataDirectory } from "../../settings/data-directory.ts";
import { error, type Finding, judged, ok } from "../../../ports/finding.ts";
import { join } from "node:path";
import type { Config } from "../../settings/config.ts";
import { consoleToken } from "../../settings/console-token.ts";
import { SCHEMA } from "../../../store/base/migrations.ts";
import { readSchema } from "../../../store/snapshot.ts";
import { once } from "node:events";
import { createServer } from "node:net";
import { z } from "zod";

/** In bytes. */
const LEAST_MEMORY = 1e9;
const LEAST_SPACE = 1e9;
const LEAST_FILES = 4_096;
const LEAST_INODES = 50_000;

export interface MachineFacts {
  /** Bytes that this process and its commands can use. */
  readonly memory: number;
  /** Maximum number of open files per process; null if the system does not report it. */
  readonly files: number | null;
  readonly timeZone: string;
}

export const thisMachine = (): MachineFacts => ({
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  files: mostFiles(),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export function* hostFindings({ memory, files, timeZone }: MachineFacts): Generator<Finding> {
  yield nodeFinding(process.versions.node, process.execPath);
  const have = `${(memory / 1e9).toFixed(1)} GB`;
  yield judged(
    memory >= LEAST_MEMORY,
    "memory",
    have,
    "Provide at least 1 GB; Parley uses up to half of that, and commands need memory too.",
  );
  if (files !== null) {
    const remedy = `Raise the limit to ${LEAST_FILES} or more, with LimitNOFILE= in the unit or with ulimit -n.`;
    yield judged(files >= LEAST_FILES, "files", `up to ${files} open files per process`, remedy);
  }
  yield ok("time zone", `${timeZone}; budget days begin at 00:00 UTC in every time zone`);
}

/** First releases without the weaknesses that were published on 21 October 2026 (docs/security.md, "Packages"). */
const SOUND: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  24: [22, 1],
  25: [Number.POSITIVE_INFINITY, 0],
  26: [12, 1],
};

export const nodeFinding = (version: string, path: string): Finding => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [leastMinor, leastPatch] = SOUND[major] ?? [0, 0];
  return judged(
    minor > leastMinor || (minor === leastMinor && patch >= leastPatch),
    "node",
    `${version} (${path})`,
    "Start bin/parley.js with Node 24.22.1, 26.12.1 or newer; TLS and DNS of this version have known weaknesses (docs/security.md, Packages).",
  );
};

/** Returns the hard limit, because Node raises its soft limit to it. */
const mostFiles = (): number | null => {
  const limits = existsSync(LIMITS) ? readFileSync(LIMITS, "utf8") : "";
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(limits) ?? [];
  return hard === undefined ? null : Number(hard);
};

const LIMITS = "/proc/self/limits";

interface Room {
  /** In bytes. */
  readonly free: number;
  /** Number of files that can still be created; null if the file system does not count files. */
  readonly inodes: number | null;
}

const roomIn = (directory: string): Room => {
  const { bavail, bsize, files, ffree } = statfsSync(directory);
  return { free: bavail * bsize, inodes: files === 0 ? null : ffree };
};

/** Creates the directory if it is missing, as a start would. */
export const dataFinding = (directory: string, room = roomIn): Finding => {
  const prepared = prepareDataDirectory(directory);
  if (prepared.kind === "invalid") {
    const [problem] = prepared.problems;
    return error(
      "data",
      problem,
      /ENOSPC|EDQUOT/.test(problem)
        ? "Free space on that disk."
        : "Correct the problem, or set PARLEY_DATA to another directory of this user.",
    );
  }
  const { free, inodes } = room(directory);
  const counted = inodes === null ? "" : ` and ${inodes} files`;
  return judged(
    free >= LEAST_SPACE && (inodes === null || inodes >= LEAST_INODES),
    "data",
    `${directory}, space for ${(free / 1e9).toFixed(1)} GB${counted}`,
    "Free space; mirrors and checkouts are stored here, and a checkout has many files.",
  );
};

/** Creates neither the database nor the console's token. */
export function* retentionFindings(
  config: Pick<Config, "PARLEY_DATA" | "PARLEY_CONSOLE_TOKEN">,
): Generator<Finding> {
  yield databaseFinding(config.PARLEY_DATA);
  const file = join(config.PARLEY_DATA, "console-token");
  const token = existsSync(file) ? consoleToken(config) : null;
  if (token?.kind === "failed")
    yield error("console token", token.message, `Delete ${file}; the next start creates a new token.`);
}

const databaseFinding = (directory: string): Finding => {
  const read = readSchema(directory);
  if (read === null) return ok("database", "none yet; the first start creates the database");
  if (read.kind === "failed")
    return error(
      "database",
      read.message,
      "Restore a backup, or move the file away to start with an empty database.",
    );
  if (read.schema > SCHEMA) {
    return error(
      "database",
      `schema ${read.schema} is newer than this version of Parley, which knows schemas up to ${SCHEMA}`,
      "Start the newer Parley that wrote the database, or restore a backup from before the upgrade.",
    );
  }
  const older =
    read.schema < SCHEMA ? `; the next start upgrades the schema to ${SCHEMA}, so take a backup first` : "";
  return ok("database", `schema ${read.schema}${older}`);
};

/** Time limit for the health request, in milliseconds. */
const PATIENCE = 5_000;

/** `setting`: name of the setting with the port. */
export const portFinding = async (
  what: string,
  host: string,
  port: number,
  setting: string,
): Promise<Finding> => {
  const where = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const code = await tryPort(host, port);
  if (code === null) return ok(what, port === 0 ? "any free port" : `${where} is free`);
  if (code === "EADDRINUSE") {
    const version = await parleyAt(where);
    return version === null
      ? error(what, `another process uses ${where}`, `Stop that process, or set ${setting} to another port.`)
      : ok(what, `${where} is in use by Parley itself (${version})`);
  }
  if (code === "EACCES")
    return error(what, `${where} is not permitted for this user`, `Set ${setting} to a port above 1023.`);
  return error(
    what,
    `Parley cannot listen on ${where} (${code})`,
    "Set PARLEY_HOST to an address of this machine.",
  );
};

/** Null if the port is free, otherwise the system's error code. */
const tryPort = async (host: string, port: number): Promise<string | null> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    const closed = once(server, "close");
    server.close();
    await closed;
    return null;
  } catch (cause) {
    return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
  }
};

const health = z.object({ version: z.string(), sandbox: z.object({ tier: z.string() }) });

/** Null if no Parley answers. */
const parleyAt = async (where: string): Promise<string | null> => {
  try {
    const answer = await fetch(`http://${where}/healthz`, { signal: AbortSignal.timeout(PATIENCE) });
    return health.parse(await answer.json()).version;
  } catch {
    return null;
  }
};
