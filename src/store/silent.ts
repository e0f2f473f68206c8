/** The log of callers that keep none. */

import type { Log } from "../runtime/ports.ts";

export const silent: Log = { info() {}, warn() {}, error() {} };
