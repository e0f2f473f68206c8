/** `parley drain HOST`: the host hands over, and does not join again until it is restarted. */

import { setTimeout as sleep } from "node:timers/promises";
import type { CoreSettings, ProgramResult } from "../../../feature.ts";
import { DRAIN, HANDOVER } from "../../../runtime/bot/drain.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { done, programFailed, withDatabase } from "./with-database.ts";

const EVERY = 500;
/** Time limit: the running turns, the drain, and a margin, in milliseconds. */
const PATIENCE = HANDOVER + DRAIN.whole + 20_000;

export const drainProgram = (
  [host = ""]: readonly string[],
  settings: ClusterSettings,
  core: CoreSettings,
): Promise<ProgramResult> =>
  withDatabase(settings, core, async (database) => {
    const asked = await database.drain(host);
    if (asked.kind === "trouble") return programFailed(asked.why);
    for (let waited = 0; waited < PATIENCE; waited += EVERY) {
      const rows = await database.hosts();
      if ("kind" in rows) return programFailed(rows.why);
      if (!rows.some((row) => row.name === host && row.active)) {
        const active = rows.filter((row) => row.active && row.isLive).map(({ name }) => name);
        const others =
          active.length === 0 ? "No host is active: start a host." : `Active: ${active.join(", ")}.`;
        return done(`${host} has handed over. ${others}`);
      }
      await sleep(EVERY);
    }
    return programFailed(
      `${host} was asked to hand over but has not finished. Run parley hosts to check again.`,
    );
  });
