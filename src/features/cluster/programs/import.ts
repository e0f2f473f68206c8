/**
 * `parley import DIR`: copies the data directory of a single host into the empty shared database. The pictures, files and
 * checkout archives are copied to the shared storage. An interrupted import can continue.
 */

import { createReadStream, existsSync, readdirSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import type { CoreSettings, ProgramResult } from "../../../feature.ts";
import type { Objects } from "../../../ports/store.ts";
import { takeLock } from "../../../store/base/lock.ts";
import { nameIn } from "../../../store/base/connect.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { openShared } from "../settings/shared.ts";
import { done, programFailed, withDatabase } from "./with-database.ts";

export const importProgram = async (
  [named = ""]: readonly string[],
  settings: ClusterSettings,
  core: CoreSettings,
): Promise<ProgramResult> => {
  const from = resolve(named);
  const file = nameIn(from);
  if (!existsSync(file)) return programFailed(`${file} does not exist. ${USAGE}`);
  return withDatabase(settings, core, async (database) => {
    const shared = await openShared(settings, core);
    if (typeof shared === "string") return programFailed(shared);
    const lock = takeLock(from);
    if (lock.kind === "refused") return programFailed(`${lock.message}: stop that process first.`);
    try {
      // Blobs are copied before the rows: after the rows, the database would no longer be empty.
      const why = shared === null ? null : await copyBlobs(resolve(from, "blobs"), shared);
      if (why !== null) return programFailed(why);
      let told = -1;
      const imported = await database.importFrom(file, (share) => {
        const tenth = Math.floor(share * 10);
        if (tenth > told) console.log(`imported: ${tenth * 10} %`);
        told = Math.max(told, tenth);
      });
      if (imported.kind === "trouble") return programFailed(imported.why);
    } finally {
      lock.release();
    }
    // The file makes room for this host's replica, which has the same name.
    for (const end of ["-wal", "-shm", ""]) {
      if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${file}.imported${end}`);
    }
    return done(
      `Imported. ${file} was renamed to ${file}.imported.`,
      "Start this host first: only this host has the checkouts, and it copies changed checkouts to PARLEY_SHARED_STORAGE.",
    );
  });
};

const USAGE = "Usage: parley import DIR   (the data directory of a stopped Parley)";

/** Number of files copied at the same time, because the shared storage may be slow. */
const AT_ONCE = 8;

/** Skips files that an earlier try has copied. Null if all files are copied. */
const copyBlobs = async (from: string, shared: Objects): Promise<string | null> => {
  const there = await shared.list("blobs/");
  if (there.kind === "failed") return there.message;
  const known = new Set(there.names);
  const left = (existsSync(from) ? readdirSync(from) : [])
    .filter((file) => /^[0-9a-f]{64}$/.test(file))
    .values();
  const copy = async (): Promise<string | null> => {
    for (const file of left) {
      if (known.has(`blobs/${file}`)) continue;
      const put = await shared.put(`blobs/${file}`, createReadStream(resolve(from, file)));
      if (put.kind === "failed") return `${resolve(from, file)} could not be copied: ${put.message}`;
    }
    return null;
  };
  const copied = await Promise.all(Array.from({ length: AT_ONCE }, copy));
  return copied.find((why) => why !== null) ?? null;
};
