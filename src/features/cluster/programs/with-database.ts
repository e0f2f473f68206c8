import type { CoreSettings, ProgramResult } from "../../../feature.ts";
import type { FleetDatabase } from "../database/fleet-database.ts";
import { fleetSettings } from "../settings/database.ts";
import type { ClusterSettings } from "../settings/settings.ts";

export const withDatabase = async (
  settings: ClusterSettings,
  core: CoreSettings,
  work: (database: FleetDatabase) => Promise<ProgramResult>,
): Promise<ProgramResult> => {
  const read = fleetSettings(settings, core);
  if (read === null)
    return programFailed("PARLEY_DATABASE is not set: this is a single host (docs/scale.md).");
  if (read.kind === "failed") return programFailed(read.problem);
  const { openFleetDatabase } = await import("../database/fleet-database.ts");
  const opened = await openFleetDatabase(read.settings);
  if (opened.kind !== "open") return programFailed(opened.why);
  try {
    return await work(opened.database);
  } finally {
    await opened.database.close();
  }
};

export const programFailed = (why: string): ProgramResult => ({ kind: "failed", why });

export const done = (...lines: readonly string[]): ProgramResult => ({
  kind: "done",
  text: lines.join("\n"),
});
