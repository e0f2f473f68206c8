/** `parley import DIR`: a single host's data into the empty database of several. Goes on after an interruption. */

import { existsSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { sharedDirectory, sharedProblem } from "../../host/settings/shared-directory.ts";
import { takeLock } from "../../store/lock.ts";
import { nameIn } from "../../store/sqlite.ts";
import { complain } from "../complain.ts";
import { copyTree } from "../copy-tree.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = "Usage: parley import DIR   (the data directory of a Parley that has ended)";

export const importCommand = async ([named, ...more]: readonly string[]): Promise<number> => {
  if (named === undefined || more.length > 0 || named.startsWith("-")) return complain(USAGE);
  const from = resolve(named);
  const file = nameIn(from);
  if (!existsSync(file)) return complain(`${file} is not there. ${USAGE}`);
  return withDatabase(async (database, config) => {
    const problem = sharedProblem(config);
    if (problem !== null) return complain(problem);
    const lock = takeLock(from);
    if (lock.kind === "refused") return complain(`${lock.message}: end it first.`);
    try {
      let told = -1;
      const done = await database.importFrom(file, (share) => {
        const tenth = Math.floor(share * 10);
        if (tenth > told) console.log(`imported: ${tenth * 10} %`);
        told = Math.max(told, tenth);
      });
      if (done.kind === "trouble") return complain(done.why);
      const shared = sharedDirectory(config);
      const blobs = resolve(from, "blobs");
      if (shared !== null && existsSync(blobs)) {
        const copied = await copyTree([blobs], shared);
        if (copied.kind === "failed") return complain(`${blobs} could not be copied: ${copied.message}`);
      }
    } finally {
      lock.release();
    }
    // From now on this is where a copy of the database of all hosts lies.
    for (const end of ["-wal", "-shm", ""]) {
      if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${file}.imported${end}`);
    }
    console.log(`Imported. ${file} is kept as ${file}.imported.`);
    console.log(
      "Start this host first: it has the checkouts, and brings those that were changed into PARLEY_SHARED.",
    );
    return 0;
  });
};
