/** Log fields never contain message text or secrets. Frequent repeats are only counted, so that no burst hides its cause. */

import { pino } from "pino";
import type { Millis } from "../machine/id.ts";
import type { Clock, Log, LogFields } from "../ports/host.ts";
import { createRedactor } from "../text/secrets/known-values.ts";
import { systemClock } from "./system-clock.ts";

/** Number of lines with the same message that are written in each window. */
const MOST = 20;
const WINDOW: Millis = 60_000;

/** Minimum length of a secret to mask. A log line contains no ordinary text that a short key could garble. */
const LEAST = 4;

interface LogOptions {
  readonly clock?: Pick<Clock, "after">;
  /** Standard error if absent. */
  readonly write?: (line: string) => void;
  readonly beside?: (fields: LogFields) => LogFields;
}

/** Masks `secrets` wherever they occur, as a last line of defense. */
export const createLog = (level: string, secrets: readonly string[], options: LogOptions = {}): Log => {
  const { clock = systemClock, write, beside = nothing } = options;
  const stream = write === undefined ? pino.destination(2) : { write };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  const repeats = new Map<string, number>();

  const clean = createRedactor(secrets, { least: LEAST }).text;
  const cleanFields = (fields: LogFields): LogFields =>
    Object.fromEntries(
      Object.entries({ ...fields, ...beside(fields) }).map(([name, value]) => [
        name,
        typeof value === "string" ? clean(value) : value,
      ]),
    );

  /** The window starts with the first line and ends with a count of dropped lines. */
  const isKeptBack = (of: "warn" | "error", message: string): boolean => {
    const key = `${of} ${message}`;
    const said = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, said);
    if (said === 1) {
      clock.after(WINDOW, () => {
        const more = (repeats.get(key) ?? 0) - MOST;
        repeats.delete(key);
        if (more > 0) logger[of]({ more }, clean(message));
      });
    }
    return said > MOST;
  };

  const urgent =
    (of: "warn" | "error"): Log["warn"] =>
    (message, fields = {}) => {
      if (!isKeptBack(of, message)) logger[of](cleanFields(fields), clean(message));
    };

  return {
    info: (message, fields = {}) => logger.info(cleanFields(fields), clean(message)),
    warn: urgent("warn"),
    error: urgent("error"),
  };
};

const nothing = (): LogFields => ({});
