/** The database of several hosts, for a command beside the running ones. */

import { fleetSettings } from "../../cluster/fleet-settings.ts";
import type { Config } from "../../settings/config.ts";
import type { FleetDatabase } from "../../../store/cluster/fleet-database.ts";
import { complain } from "../shared/complain.ts";
import { loadConfig } from "../shared/load-config.ts";

/** Answers the exit status. */
export const withDatabase = async (
  work: (database: FleetDatabase, config: Config) => Promise<number>,
): Promise<number> => {
  const config = loadConfig();
  if (config === null) return 1;
  const read = fleetSettings(config);
  if (read === null) return complain("PARLEY_DATABASE is not set: this host is alone (docs/scale.md).");
  if (read.kind === "failed") return complain(read.problem);
  const { openFleetDatabase } = await import("../../../store/cluster/fleet-database.ts");
  const opened = await openFleetDatabase(read.settings);
  if (opened.kind !== "open") return complain(opened.why);
  try {
    return await work(opened.database, config);
  } finally {
    await opened.database.close();
  }
};
