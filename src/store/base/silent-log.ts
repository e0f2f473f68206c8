/** The log of callers without a log. */

import type { Log } from "../../ports/host.ts";

export const silentLog: Log = { info() {}, warn() {}, error() {} };
