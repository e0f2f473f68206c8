/**
 * Gives back what a start and busy times leave in memory: V8 keeps it for as long as nothing asks for more. Once the host
 * has had little to do for a while everything is collected, and not again before it has had something to do: that takes a
 * tenth of a second in which nothing else happens, and compiled code goes with it, which the next answer has to have made anew.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

interface ShrinkDeps {
  readonly clock: Clock;
  /** An answer is being written: it takes little time of the processor, and needs the compiled code. */
  readonly isAsking: () => boolean;
  /** Processor time that the process has used so far. */
  readonly used?: () => Millis;
  readonly collect?: () => void;
}

const EVERY: Millis = 10_000;
/** Processor time between two looks: a host that nobody talks to uses a tenth of it. */
const LITTLE: Millis = 80;
/** Looks in a row that find it so: soon after a start, and when a minute has passed after busy times. */
const AT_FIRST = 1;
const LATER = 6;

/** Answers how to end it. */
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

/** V8 has no other door to it; the flag holds for contexts that are made while it is set. */
const collectAll = (): void => {
  setFlagsFromString("--expose-gc");
  runInNewContext('gc({ type: "major", flavor: "last-resort" })');
  setFlagsFromString("--no-expose-gc");
};
