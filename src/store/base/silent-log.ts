/** The log of callers that keep none. */

import type { Log } from "../../ports/host.ts";

export const silentLog: Log = { info() {}, warn() {}, error() {} };
