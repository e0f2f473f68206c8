/** The log of callers that keep none. */

import type { Log } from "../ports/host.ts";

export const silent: Log = { info() {}, warn() {}, error() {} };
