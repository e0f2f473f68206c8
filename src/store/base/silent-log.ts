import type { Log } from "../../ports/host.ts";

export const silentLog: Log = { info() {}, warn() {}, error() {} };
