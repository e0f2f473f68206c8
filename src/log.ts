/** The log: structured lines on standard error. Fields are ids, names and numbers, never words or secrets. */

import { pino } from "pino";
import type { Log, LogFields } from "./runtime/ports.ts";

/** `secrets` are masked wherever they turn up, as a last line of defence. */
export const createLog = (level: string, secrets: readonly string[]): Log => {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
  const clean = (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
  const cleanFields = (fields: LogFields): LogFields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value]),
    );
  return {
    info: (message, fields = {}) => logger.info(cleanFields(fields), clean(message)),
    warn: (message, fields = {}) => logger.warn(cleanFields(fields), clean(message)),
    error: (message, fields = {}) => logger.error(cleanFields(fields), clean(message)),
  };
};
