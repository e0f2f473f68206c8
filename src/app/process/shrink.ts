/**
 * V8 keeps unused memory. A full collection runs once the host is idle, and again only after new work. A collection blocks the
 * process for a tenth of a second.
 */

import { setFlagsFromString } from "node:v8";
import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import { freeMemory } from "../../store/base/free-memory.ts";

interface ShrinkDeps {
  readonly clock: Clock;
  /** Whether a model answer is in progress, which uses little processor time and needs the compiled code. */
  readonly isAsking: () => boolean;
  /** Processor time that the process has used so far. */
  readonly used?: () => Millis;
  readonly collect?: () => void;
}

const EVERY: Millis = 10_000;
/** Maximum processor time between two checks of an idle host. A host without users needs a tenth of it. */
const LITTLE: Millis = 80;
/** Idle checks in a row before a collection: soon after a start, and a minute after busy times. */
const AT_FIRST = 1;
const LATER = 6;

export const startShrinking = ({
  clock,
  isAsking,
  used = usedSoFar,
  collect = collectAll,
}: ShrinkDeps): (() => void) => {
  let before = used();
  let isOwed = true;
  let quiet = 0;
  let wanted = AT_FIRST;

  const look = (): void => {
    quiet = used() - before > LITTLE || isAsking() ? 0 : quiet + 1;
    if (quiet === 0) isOwed = true;
    else if (isOwed && quiet >= wanted) {
      collect();
      isOwed = false;
      wanted = LATER;
    }
    before = used();
    cancel = clock.after(EVERY, look);
  };

  let cancel = clock.after(EVERY, look);
  return () => cancel();
};

const usedSoFar = (): Millis => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Later collections keep compiled code: 2 MB, and a tenth of a second of the next answer. */
const collectAll = (): void => {
  freeMemory();
  setFlagsFromString("--no-flush-bytecode");
};
