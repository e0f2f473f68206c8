/** Turns git's progress output into lines for the thread. Only git's counters pass, in a fixed form. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

const QUIET: Millis = 200;

const COUNTER =
  /^(?:remote: )?(Counting objects|Compressing objects|Receiving objects|Resolving deltas|Updating files): +(\d{1,3})% \((\d+)\/(\d+)\)(?:, ([\d.]+) (bytes|KiB|MiB|GiB))?/;

/** A server's first step; the total is not known yet. */
const ENUMERATED = /^(?:remote: )?Enumerating objects: +(\d{1,10})\b/;

const UNIT = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;

interface ProgressLine {
  readonly line: string;
  /** Bytes received so far; null if the line does not say. */
  readonly bytes: number | null;
}

/** Null for everything except git's counters, whatever a server makes git print. Pure. */
export const readCounter = (line: string): ProgressLine | null => {
  const found = ENUMERATED.exec(line)?.[1];
  if (found !== undefined) return { line: `Enumerating objects: ${found}`, bytes: null };
  const match = COUNTER.exec(line);
  if (match === null) return null;
  const [, label, percent, done, all, amount, unit] = match;
  const size = amount === undefined ? "" : `, ${amount} ${unit}`;
  const factor = unit === "bytes" || unit === "KiB" || unit === "MiB" || unit === "GiB" ? UNIT[unit] : 1;
  return {
    line: `${label}: ${percent}% (${done}/${all})${size}`,
    bytes: label !== "Receiving objects" || amount === undefined ? null : Number(amount) * factor,
  };
};

const MAX_PARTIAL = 1000;

/** Calls `onLine` at most once in 200 ms, and `onBytes` with every count of received bytes. */
export const createMeter = (
  clock: Clock,
  onLine: (line: string) => void,
  onBytes: (bytes: number) => void,
): ((chunk: Buffer) => void) => {
  let partial = "";
  let last = Number.NEGATIVE_INFINITY;
  return (chunk) => {
    const lines = (partial + chunk.toString("latin1")).split(/[\r\n]/);
    partial = (lines.pop() ?? "").slice(-MAX_PARTIAL);
    for (const line of lines) {
      const reading = readCounter(line);
      if (reading === null) continue;
      if (reading.bytes !== null) onBytes(reading.bytes);
      const now = clock.now();
      if (now - last < QUIET) continue;
      last = now;
      onLine(reading.line);
    }
  };
};
