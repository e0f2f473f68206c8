/** Alerts and notes over a store. */

import { createAlertRows } from "../../../src/features/alerts/rows.ts";
import { silentLog } from "../../../src/store/silent-log.ts";
import type { Opened } from "../../../src/store/sqlite.ts";

export const rowsOf = ({ rows, notes }: Pick<Opened, "rows" | "notes">) => ({
  ...createAlertRows(rows, silentLog),
  ...notes,
});
