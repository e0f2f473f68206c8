/** How the host is, for whoever looks after it. */

import type { Handler } from "../handler.ts";
import { hostStatusBody } from "../render/host-status.ts";

/** Surfaces, sandbox, queues, what was spent today, what waits for approval, disk, memory and version. */
export const hostStatus: Handler = async (deps, c) =>
  c.json(hostStatusBody(await deps.host(), deps.health(), { ...deps, ...deps.budgets.overview() }));
