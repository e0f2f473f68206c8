/** `parley hosts`: who shares the database, what each has, and how far its copy is. */

import { standingOf } from "../../../ports/figures.ts";
import { complain } from "../shared/complain.ts";
import { table } from "../table.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = "Usage: parley hosts [--json]";

const HEAD = ["host", "standing", "owns", "behind", "heard", "version"];

export const hostsCommand = async (args: readonly string[]): Promise<number> => {
  const asJson = args.includes("--json");
  if (args.some((arg) => arg !== "--json")) return complain(USAGE);
  return withDatabase(async (database) => {
    const rows = await database.hosts();
    if ("kind" in rows) return complain(rows.why);
    const hosts = rows.map((row) => ({ ...row, standing: standingOf(row) }));
    if (asJson) {
      console.log(JSON.stringify(hosts, null, 2));
      return 0;
    }
    const lines = hosts.map(({ name, standing, owns, behind, seen, version }) => {
      const ago = Math.max(0, Math.round((Date.now() - seen) / 1_000));
      return [name, standing, String(owns), String(behind), `${ago} s ago`, version];
    });
    console.log(table([HEAD, ...lines]));
    return 0;
  });
};
