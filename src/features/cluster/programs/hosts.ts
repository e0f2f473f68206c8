/** `parley hosts`: the hosts that share the database, with the conversations and the replica position of each. */

import type { CoreSettings, ProgramResult } from "../../../feature.ts";
import { hostStatusLabel } from "../../../ports/figures.ts";
import { table } from "../../../text/table.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { done, programFailed, withDatabase } from "./with-database.ts";

const HEAD = ["host", "standing", "owns", "behind", "heard", "version"];

export const hostsProgram = (
  args: readonly string[],
  settings: ClusterSettings,
  core: CoreSettings,
): Promise<ProgramResult> =>
  withDatabase(settings, core, async (database) => {
    const rows = await database.hosts();
    if ("kind" in rows) return programFailed(rows.why);
    const hosts = rows.map((row) => ({ ...row, standing: hostStatusLabel(row) }));
    if (args.includes("--json")) return done(JSON.stringify(hosts, null, 2));
    const lines = hosts.map(({ name, standing, owns, behind, seen, version }) => {
      const ago = Math.max(0, Math.round((Date.now() - seen) / 1_000));
      return [name, standing, String(owns), String(behind), `${ago} s ago`, version];
    });
    return done(table([HEAD, ...lines]));
  });
