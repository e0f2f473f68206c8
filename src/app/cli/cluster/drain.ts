/** `parley drain HOST`: the host hands over, and does not join the active ones again until it is started anew. */

import { setTimeout as sleep } from "node:timers/promises";
import { DRAIN, HANDOVER } from "../../../runtime/bot/drain.ts";
import { complain } from "../shared/complain.ts";
import { withDatabase } from "./with-database.ts";

/** Milliseconds between two looks whether it is done. */
const EVERY = 500;
/** Of the turns that may end first, of the drain, and some more. */
const PATIENCE = HANDOVER + DRAIN.whole + 20_000;

export const drainCommand = async ([host, ...more]: readonly string[]): Promise<number> => {
  if (host === undefined || more.length > 0 || host.startsWith("-"))
    return complain("Usage: parley drain HOST   (parley hosts says which there are)");
  return withDatabase(async (database) => {
    const asked = await database.drain(host);
    if (asked.kind === "trouble") return complain(asked.why);
    for (let waited = 0; waited < PATIENCE; waited += EVERY) {
      const rows = await database.hosts();
      if ("kind" in rows) return complain(rows.why);
      if (!rows.some((row) => row.name === host && row.active)) {
        const active = rows.filter((row) => row.active && row.isLive).map(({ name }) => name);
        const others =
          active.length === 0 ? "No host is active: start one." : `Active: ${active.join(", ")}.`;
        console.log(`${host} has handed over. ${others}`);
        return 0;
      }
      await sleep(EVERY);
    }
    return complain(`${host} was asked to hand over, and has not done it yet: look again with parley hosts.`);
  });
};
