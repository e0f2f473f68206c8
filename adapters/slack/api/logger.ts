/** Passes Slack's warnings and errors to the host's log, shortened and without payloads. */

import { type Logger, LogLevel } from "@slack/bolt";
import type { Log } from "../../../src/ports/host.ts";

const MAX = 200;

/** Null for `log` mutes the logger. */
export const slackLogger = (log: Log | null): Logger => {
  const warn = (...parts: readonly unknown[]): void =>
    log?.warn("slack: client library warned", { said: parts.map(String).join(" ").slice(0, MAX) });
  return {
    debug: nothing,
    info: nothing,
    warn,
    error: warn,
    setLevel: nothing,
    getLevel: () => LogLevel.WARN,
    setName: nothing,
  };
};

const nothing = (): void => undefined;
