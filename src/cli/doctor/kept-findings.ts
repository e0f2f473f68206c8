/** What earlier starts left in the data directory, and whether this version can go on with it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../host/settings/config.ts";
import { consoleToken } from "../../host/settings/console-token.ts";
import { SCHEMA } from "../../store/migrations.ts";
import { readSchema } from "../../store/snapshot.ts";
import { error, type Finding, ok } from "./finding.ts";

/** Makes nothing that a start would make. */
export function* keptFindings(
  config: Pick<Config, "PARLEY_DATA" | "PARLEY_CONSOLE_TOKEN">,
): Generator<Finding> {
  yield databaseFinding(config.PARLEY_DATA);
  const file = join(config.PARLEY_DATA, "console-token");
  const token = existsSync(file) ? consoleToken(config) : null;
  if (token?.kind === "failed")
    yield error("console token", token.message, `Delete ${file}: the next start makes a new one.`);
}

const databaseFinding = (directory: string): Finding => {
  const read = readSchema(directory);
  if (read === null) return ok("database", "none yet: the first start makes it");
  if (read.kind === "failed")
    return error("database", read.message, "Restore a backup, or move it away to start empty.");
  if (read.schema > SCHEMA) {
    return error(
      "database",
      `it has schema ${read.schema}, and this version of Parley knows schemas up to ${SCHEMA}`,
      "Start the newer Parley that wrote it, or restore a backup from before the upgrade.",
    );
  }
  const older = read.schema < SCHEMA ? `; the next start brings it to ${SCHEMA}, so take a backup first` : "";
  return ok("database", `schema ${read.schema}${older}`);
};
