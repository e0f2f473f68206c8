/** Alerts and notes over a store. */

import { createAlertRows } from "../../../src/features/alerts/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";

export const rowsOf = ({ rows, notes }: Pick<StorePorts, "rows" | "notes">) => ({
  ...createAlertRows(rows, silentLog),
  ...notes,
});
