import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fleetSettings } from "./settings/database.ts";
import type { DoctorCore } from "../../feature.ts";
import type { ClusterSettings } from "./settings/settings.ts";
import { openShared } from "./settings/shared.ts";
import { error, type Finding, ok, warning } from "../../ports/finding.ts";

/** Yields nothing if this host is alone. */
export async function* fleetFindings(
  settings: ClusterSettings,
  core: Pick<DoctorCore, "version" | "data" | "amazon" | "hasConsoleToken" | "findSealKey">,
): AsyncGenerator<Finding> {
  const read = fleetSettings(settings, core);
  if (read === null) return;
  if (read.kind === "failed")
    yield error("database", read.problem, "Correct it; Parley does not start until you do.");
  else {
    const { openFleetDatabase } = await import("./database/fleet-database.ts");
    const opened = await openFleetDatabase(read.settings);
    if (opened.kind === "open") {
      yield* await opened.database.inspect();
      await opened.database.close();
    } else
      yield error("database", opened.why, "Correct PARLEY_DATABASE, or start the database (docs/scale.md).");
  }
  yield await sharedFinding(settings, core);
  if (!core.hasConsoleToken)
    yield warning(
      "console token",
      "each host creates a separate token, so a console link stops working when the host that printed it ends",
      "Set PARLEY_CONSOLE_TOKEN to the same value on all hosts.",
    );
  const seal = core.findSealKey();
  if (seal.kind === "key" && seal.from === "file")
    yield warning(
      "seal key",
      "this host has a separate key, so stored tokens cannot be opened on the other hosts",
      "Set PARLEY_SEAL_KEY to the same value on all hosts.",
    );
}

const sharedFinding = async (
  settings: ClusterSettings,
  core: Pick<DoctorCore, "data" | "amazon">,
): Promise<Finding> => {
  const { PARLEY_SHARED_STORAGE: named = "", PARLEY_HOST_NAME: host } = settings;
  const isBucket = named.startsWith("s3:");
  const what = isBucket ? "shared bucket" : "shared directory";
  const opened = await openShared(settings, core);
  if (opened === null)
    return warning(
      what,
      "none; pictures, files and changed checkouts remain on the host that stored them",
      "Set PARLEY_SHARED_STORAGE to a directory that all hosts see, or to a bucket, so that this content remains available after a takeover.",
    );
  if (typeof opened === "string") {
    const correct = "Correct it; Parley does not start until you do (docs/scale.md).";
    return error(what, opened, isBucket ? correct : "Mount the directory on every host under the same path.");
  }
  return isBucket
    ? ok(what, `${named} can be written, read and cleared`)
    : directoryFinding(what, named, host, core.data);
};

const directoryFinding = (what: string, shared: string, host: string, data: string): Finding => {
  try {
    const trial = join(shared, `.trial-${host}-${process.pid}`);
    writeFileSync(trial, "trial", { mode: 0o600, flush: true });
    rmSync(trial);
    // Other hosts cannot read this host's own disk.
    const isOwn = statSync(shared).dev === statSync(data).dev;
    return isOwn
      ? warning(
          what,
          `${shared} is on the disk of PARLEY_DATA`,
          "Mount a file system there that all hosts see.",
        )
      : ok(what, `${shared} can be written`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return error(what, why, `Give Parley's user write permission in ${shared}.`);
  }
};
